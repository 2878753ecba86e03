"""Recordings whose truth is known, and what every command must give of them; truth.py runs them."""
