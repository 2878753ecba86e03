"""Installs the packages that the oracles need: python3 Tests/Oracles/packages"""
import os

from __init__ import install, page_packages

install()
if int(os.environ.get("KYMO_TEST_ROUNDS", "0")) >= 100:
    page_packages(install=True)
