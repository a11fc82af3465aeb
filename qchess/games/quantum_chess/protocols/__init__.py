"""The protocols of Quantum Chess: how engines, players and boards talk to it."""
