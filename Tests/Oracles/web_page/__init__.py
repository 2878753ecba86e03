"""What the oracle of the browser recorder is made of."""
