"""IBM: real processors, and the local fakes of them."""
