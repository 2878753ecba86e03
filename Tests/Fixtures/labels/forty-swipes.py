#!/usr/bin/env python3
"""Prints the touches of forty swipes (gallery/swipes.csv), or with --labels what each was meant for
(labels/forty-swipes.csv). A finger that is fast at the end goes where it wants to go; a slow one means to finish from
0.4 of the way on, more or less. One label is wrong, and one is unsure."""
import random
import sys

REPORT = 16_000_000  # nanoseconds between two reports
WAY = 400  # points from progress 0 to 1
TOP = 200
UUID = "5c0ffee5-4040-4040-8040-404040404040"

random.seed(40)
touches = ["t_ns,id,phase,x,y"]
labels = ["uuid,transition,label"]
for number in range(40):
    start = number * 1_250_000_000
    lift = random.uniform(0.12, 0.85)
    speed = random.choice([-1, 1]) * random.uniform(1.2, 3) if random.random() < 0.5 else random.uniform(-0.4, 0.4)
    turn = min(1, max(0.02, lift - speed * 8 * REPORT / 1e9))
    for report in range(19):
        # Slowly to a place, from where it goes on at the speed that it lifts with.
        progress = turn * report / 10 if report <= 10 else turn + (lift - turn) * (report - 10) / 8
        y = round(2 * (TOP + WAY * progress)) / 2
        touches.append(f"{start + report * REPORT},{number},{'moved' if report else 'began'},195,{y:g}")
    touches.append(f"{start + 18 * REPORT},{number},ended,195,{y:g}")
    released = (y - TOP) / WAY
    finishes = speed > 0 if abs(speed) > 0.8 else released > 0.4 + random.uniform(-0.03, 0.03)
    meant = "finish" if finishes != (number == 23) else "cancel"
    labels.append(f"{UUID},{number},{'unsure' if number == 31 else meant}")
print("\n".join(labels if "--labels" in sys.argv[1:] else touches))
