#!/usr/bin/env python3
"""Prints forty swipes as an app's lines, or with --labels what each was meant for, as comma-separated text in which
UUID stands for the session's. A finger that is fast at the end goes where it wants to go; a slow one means to finish
from 0.4 of the way on, more or less. One label is wrong. The app decides by half of the way."""
import json
import random
import sys

FRAME = 16_000_000
random.seed(40)
lines = [{"kymograph": 1, "name": "forty-swipes", "refreshRate": 60, "viewport": [390, 844]}]
labels = ["uuid,transition,label"]
for number in range(40):
    start = number * 2_000_000_000
    lift = random.uniform(0.12, 0.85)
    speed = random.choice([-1, 1]) * random.uniform(1.2, 3) if random.random() < 0.5 else random.uniform(-0.4, 0.4)
    lines.append({"t_ns": start, "event": "start", "to": "open"})
    turn = min(1, max(0.02, lift - speed * 8 * FRAME / 1e9))
    for frame in range(19):
        # Slowly to a place, from where it goes on at the speed that it lifts with.
        value = turn * frame / 10 if frame <= 10 else turn + (lift - turn) * (frame - 10) / 8
        lines.append({"t_ns": start + frame * FRAME, "key": "progress", "value": round(value, 4), "unit": "1"})
    progress = lines[-1]["value"]
    outcome = "finish" if progress > 0.5 else "cancel"
    end = start + 18 * FRAME
    lines.append({"t_ns": end, "decision": {
        "outcome": outcome, "rule": "progress", "threshold": 0.5, "progress": progress, "transition": number}})
    lines.append({"t_ns": end, "event": outcome})
    finishes = speed > 0 if abs(speed) > 0.8 else progress > 0.4 + random.uniform(-0.03, 0.03)
    meant = "finish" if finishes != (number == 23) else "cancel"
    labels.append(f"UUID,{number},{'unsure' if number == 31 else meant}")
print("\n".join(labels if "--labels" in sys.argv[1:] else [json.dumps(line) for line in lines]))
