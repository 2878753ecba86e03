"""Clips with known motion: drawn here, encoded by ffmpeg."""
