"""Dense engines: all amplitudes of a register, turned by Cirq or Aer."""
