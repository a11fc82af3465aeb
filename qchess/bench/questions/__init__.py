"""Questions about a final state instead of its amplitudes: cases, each simulator's method, and judges."""
