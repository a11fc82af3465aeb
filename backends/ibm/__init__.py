"""IBM: real processors, and local fakes of them."""
