"""Example programs: `python -m simhost.examples.train Goal`."""
