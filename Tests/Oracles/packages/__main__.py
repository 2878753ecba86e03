"""Installs the packages that the oracles need: python3 Tests/Oracles/packages"""
from __init__ import install

install()
