"""Circuits from outside: folders of OpenQASM files, MQT Bench, and families in a file of one's own."""
