"""ffmpeg's encoders, with the true time of each picture."""
import functools
import subprocess

# Arguments by quality, the end of the file's name, and ticks a second.
CODECS = {
    "x264": (lambda q: ["-c:v", "libx264", "-preset", "veryfast", "-crf", str(q), "-pix_fmt", "yuv420p"], "mp4", 90000),
    "hevc": (lambda q: ["-c:v", "libx265", "-preset", "ultrafast", "-crf", str(q), "-pix_fmt", "yuv420p", "-x265-params",
                        "log-level=error:pools=1:frame-threads=1"], "mp4", 90000),
    "vp9": (lambda q: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-crf", str(q), "-b:v", "0",
                       "-pix_fmt", "yuv420p"], "webm", 1000),
    "vp8": (lambda q: ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-crf", str(q), "-b:v", "4M",
                       "-pix_fmt", "yuv420p"], "webm", 1000),
    "gif": (lambda q: [], "gif", 100),
    "ffv1": (lambda q: ["-c:v", "ffv1", "-pix_fmt", "gray"], "mkv", 1000),
}
NEEDED = {"x264": "libx264", "hevc": "libx265", "vp9": "libvpx-vp9", "vp8": "libvpx", "gif": "gif", "ffv1": "ffv1"}


@functools.cache
def codecs():
    """The codecs that this ffmpeg has."""
    listed = subprocess.run(["ffmpeg", "-v", "error", "-encoders"], capture_output=True, text=True).stdout.split()
    return {name for name, encoder in NEEDED.items() if encoder in listed}


def stamps(ticks, first=0):
    """An expression that gives the picture N its ticks: a tree of comparisons, which ffmpeg evaluates quickly."""
    if len(ticks) == 1:
        return str(ticks[0])
    half = len(ticks) // 2
    return f"if(lt(N,{first + half}),{stamps(ticks[:half], first)},{stamps(ticks[half:], first + half)})"


def encode(frames, times, path, codec, quality, shrink=1.0):
    """Writes the frames, and returns the path with its ending. Only one thread encodes, so that the bytes are the same."""
    arguments, ending, base = CODECS[codec]
    path = f"{path}.{ending}"
    height, width = frames[0].shape
    filters = f"settb=1/{base},setpts='{stamps([round(t * base) for t in times])}'"
    if shrink != 1:
        filters += f",scale={int(width * shrink) // 2 * 2}:{int(height * shrink) // 2 * 2}:flags=bicubic"
    if codec == "gif":
        filters += ",split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none"
    made = subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-threads", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}",
         "-r", "1000", "-i", "-", "-vf", filters, "-fps_mode", "passthrough", "-enc_time_base", f"1/{base}",
         *arguments(quality), *(["-video_track_timescale", str(base)] if ending == "mp4" else []), path],
        input=b"".join(frame.tobytes() for frame in frames), capture_output=True)
    if made.returncode:
        raise RuntimeError(f"ffmpeg did not encode {path}: {made.stderr.decode()[-300:]}")
    return path
