"""A real browser."""


def compare(kymo, folder):
    return []
