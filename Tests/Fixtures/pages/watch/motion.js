// What the pages of this folder share: whether the fault is asked for, a spring, and a drag. A page is faulty unless its
// address ends in #clean.
const clean = location.hash === "#clean";
const fault = (wrong, right) => (clean ? right : wrong);

/** Moves a number by a spring until it rests; gives a function that stops it and returns place and speed. */
function spring(from, to, velocity, stiffness, damping, show) {
  let x = from, v = velocity, last = performance.now(), isStopped = false;
  const step = (now) => {
    if (isStopped) return;
    let rest = Math.max(0, Math.min(now - last, 64));
    last = now;
    while (rest > 0) {
      const dt = Math.min(rest, 1) / 1000;
      v += (stiffness * (to - x) - damping * v) * dt;
      x += v * dt;
      rest -= 1;
    }
    if (Math.abs(v) < 4 && Math.abs(to - x) < 0.05) {
      show(to);
      return;
    }
    show(x);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return () => {
    isStopped = true;
    return { x, v };
  };
}

/**
 * Lets a finger drag an element, shown once a frame.
 * delay: frames behind; share: of the way a frame (1: all); jump: px at the pick-up; leak: share of the way across;
 * end(way, velocity, side): is told where it was let go and how fast, in px and px/s, along the axis, and how far across.
 */
function drag(element, { axis = "y", delay = 0, share = 1, jump = 0, leak = 0, show, end }) {
  let start, places = [], shown = 0, isDown = false, history = [], frame = 0;
  const along = (event) => (axis === "y" ? event.clientY : event.clientX);
  const across = (event) => (axis === "y" ? event.clientX : event.clientY);
  const draw = () => {
    if (!isDown) return;
    history.push(places[places.length - 1]);
    const place = history[Math.max(0, history.length - 1 - delay)];
    const target = place.way + (place.way ? jump * Math.sign(place.way) : 0);
    shown += share * (target - shown);
    show(shown, place.side * leak);
    requestAnimationFrame(draw);
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    start = { along: along(event), across: across(event) };
    places = [{ time: event.timeStamp, way: 0, side: 0 }];
    history = [];
    shown = 0;
    isDown = true;
    requestAnimationFrame(draw);
  });
  element.addEventListener("pointermove", (event) => {
    if (!isDown) return;
    for (const point of event.getCoalescedEvents?.() ?? [event]) {
      places.push({ time: point.timeStamp, way: along(point) - start.along, side: across(point) - start.across });
    }
  });
  element.addEventListener("pointerup", (event) => {
    if (!isDown) return;
    isDown = false;
    const last = places[places.length - 1];
    const before = places.find((place) => last.time - place.time <= 40) ?? places[0];
    const seconds = Math.max(1, last.time - before.time) / 1000;
    end?.(shown, (last.way - before.way) / seconds, last.side * leak);
  });
}
