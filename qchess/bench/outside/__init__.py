"""Circuits from outside: folders of OpenQASM files, MQT Bench, and families in your own file."""
