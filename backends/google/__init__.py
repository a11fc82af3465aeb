"""Google: real processors, and the virtual machine with their noise."""
