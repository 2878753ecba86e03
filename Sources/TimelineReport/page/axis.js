// What the ruler and the clock count: seconds from the start, from the release, frames, or the time of day.

/** The names of the ways to count, in the order of their list. */
const axisNames = {
  start: "seconds from the start", release: "seconds from the first release", frame: "frames",
  clock: "time of day, UTC",
};
/** What stands beside the ruler. */
const rulerNames = { start: "seconds", release: "s from release", frame: "frame", clock: "UTC" };
/** Room for a number on the ruler, in pixels. */
const tickRoom = 90;
const daySpan = 86400e9;

class TimeAxis {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.kind = "start";
  }

  /** Whether the run in front knows how to count so. */
  knows(kind) {
    const { run } = this.player.front;
    if (kind === "release") return run.decisions.length > 0;
    if (kind === "frame") return run.frameCount > 0;
    if (kind === "clock") return Number.isFinite(run.wallClockStart);
    return kind === "start";
  }

  /** The way to count that is shown: after a swap of the runs the chosen one may not be known. */
  get shown() {
    return this.knows(this.kind) ? this.kind : "start";
  }

  /** What is counted from, on the report's clock; of the time of day the midnight before. */
  get origin() {
    const { run, shift } = this.player.front;
    if (this.shown === "release") return run.decisions[0].t - shift;
    if (this.shown === "clock") return -shift - modulo(run.wallClockStart, daySpan);
    return 0;
  }

  /** A time in words. */
  words(time) {
    const since = time - this.origin;
    const { run, shift } = this.player.front;
    const place = run.placeAt(time + shift);
    const frame = run.frameCount > 0 ? `frame ${place + 1} of ${run.frameCount}` : "no frames";
    if (this.shown === "frame") return `${frame}, ${seconds(time)} s`;
    if (this.shown === "clock") return `${dayWords(since, 3)} UTC, ${frame}`;
    if (this.shown === "release") return `${since < 0 ? "" : "+"}${seconds(since)} s from release, ${frame}`;
    return `${seconds(time)} s, ${frame}`;
  }

  /** The places of the ruler's numbers in a window: { time, text }. */
  ticks(from, to, width) {
    if (this.shown === "frame") return this.frameTicks(from, to, width);
    const { origin } = this;
    const isDay = this.shown === "clock";
    const step = (isDay ? clockStep : niceStep)((to - from) / Math.max(2, width / tickRoom));
    const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / 1e9))));
    const ticks = [];
    for (let k = Math.ceil((from - origin) / step); k * step <= to - origin; k++) {
      ticks.push({
        time: origin + k * step,
        text: isDay ? dayWords(k * step, digits) : ((k * step) / 1e9).toFixed(digits),
      });
    }
    return ticks;
  }

  frameTicks(from, to, width) {
    const { run, shift } = this.player.front;
    const first = Math.max(0, lastAtMost(run.frameTimes, from + shift - 1) + 1);
    const last = lastAtMost(run.frameTimes, to + shift);
    const step = Math.max(1, Math.round(niceStep((last - first + 1) / Math.max(2, width / tickRoom))));
    const ticks = [];
    for (let number = Math.ceil((first + 1) / step) * step; number <= last + 1; number += step) {
      ticks.push({ time: run.frameTimes[number - 1] - shift, text: String(number) });
    }
    return ticks;
  }
}

function modulo(value, span) {
  return ((value % span) + span) % span;
}

/** As `niceStep`, but beyond ten seconds in parts of minutes, hours and days. */
function clockStep(step) {
  if (step <= 10e9) return niceStep(step);
  const nice = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
  const found = nice.find((one) => one * 1e9 >= step);
  return found ? found * 1e9 : Math.ceil(step / daySpan) * daySpan;
}

/** Nanoseconds since midnight as hours, minutes and seconds. */
function dayWords(nanoseconds, digits) {
  const unit = 10 ** (9 - digits);
  const whole = modulo(Math.round(nanoseconds / unit) * unit, daySpan);
  const two = (value) => String(Math.floor(value)).padStart(2, "0");
  const rest = ((whole % 60e9) / 1e9).toFixed(digits).padStart(digits > 0 ? digits + 3 : 2, "0");
  return `${two(whole / 3600e9)}:${two((whole % 3600e9) / 60e9)}:${rest}`;
}

/** 1, 2 or 5 times a power of ten, at least `step` and at least 1. */
function niceStep(step) {
  return tickStep(Math.max(step, 1));
}

/** 1, 2 or 5 times a power of ten, however small. */
function tickStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  for (const factor of [1, 2, 5]) if (factor * power >= step) return factor * power;
  return 10 * power;
}
