"""Devices: circuits run on samplers, whose shots answer questions."""
