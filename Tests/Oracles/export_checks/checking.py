"""Findings of an oracle."""

findings = []
_count = [0]


def check(words, holds, detail=""):
    """Notes what does not hold."""
    _count[0] += 1
    if not holds:
        findings.append(words)
        print(f"  NOT: {words}: {str(detail)[:400]}", flush=True)


def tally():
    return _count[0]
