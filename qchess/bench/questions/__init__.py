"""What is asked of a final state in place of its amplitudes: cases, how each simulator answers, and judges."""
