"""Dense engines: all amplitudes of a register, evolved by Cirq or Aer."""
