"""Models behind auto.py: generated motion, every estimator's formula, the choice among them."""
