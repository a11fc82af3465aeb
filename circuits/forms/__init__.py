"""Forms: programs as text, pictures, OpenQASM, Cirq and Qiskit."""
