"""The protocols of Quantum Chess for engines, players and boards."""
