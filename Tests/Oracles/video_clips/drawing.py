"""Grey pictures of elements and pages, and how they are put at positions between pixels."""
import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

# Texels of a pixel, in which elements and pages are drawn.
DETAIL = 3
WORDS = ("amber anchor basket bridge candle carbon copper corner desert ember fabric falcon garden granite harbor island "
         "jungle kettle ladder lantern marble meadow mirror north orbit paper pepper planet quartz river saddle signal "
         "silver timber tunnel velvet violet walnut window yellow zephyr").split()


class Theme:
    """The grey levels of a page, 0 to 1, and the words on it."""

    def __init__(self, rng):
        dark = rng.random() < 0.35
        low, high = (0.08, 0.92) if dark else (0.12, 0.97)
        self.is_dark = dark
        self.paper = low + rng.uniform(0, 0.06) if dark else high - rng.uniform(0, 0.08)
        self.ink = high - rng.uniform(0, 0.1) if dark else low + rng.uniform(0, 0.12)
        self.surface = self.paper + (0.09 if dark else -0.10) * rng.uniform(0.6, 1.4)
        self.accent = rng.uniform(0.3, 0.7)
        self.rng = rng
        self.has_pictures = self.has_texts = True

    def words(self, count):
        return " ".join(self.rng.choice(WORDS) for _ in range(count))


class Texture:
    """A picture with transparency, in texels. `width` and `height` are those of its outline in pixels; a shadow is around it."""

    def __init__(self, image, width, height, around=0.0):
        raw = np.asarray(image, np.float32) / 255
        self.width, self.height, self.around = width, height, around
        self.alpha = raw[..., 1].copy()
        self.light = raw[..., 0] * self.alpha
        rows, columns = (length // DETAIL * DETAIL for length in self.alpha.shape)
        self.layer = [one[:rows, :columns].reshape(rows // DETAIL, DETAIL, columns // DETAIL, DETAIL).mean((1, 3))
                      for one in (self.light, self.alpha)]

    def draw(self, frame, x, y, scale=1.0, alpha=1.0, turn=0.0, by_layer=False, inside=None):
        """Puts its center at x, y of a frame, in place.

        - by_layer: it is drawn once at pixels and then moved between them, as a compositor does.
        - inside: left, top, right and bottom edge of what may show it.
        """
        if alpha <= 0:
            return
        wide, high = (self.width / 2 + self.around) * scale, (self.height / 2 + self.around) * scale
        reach = (math.hypot(wide, high),) * 2 if turn else (wide, high)
        left, top, right, bottom = inside or (0, 0, frame.shape[1], frame.shape[0])
        x0, x1 = max(left, math.floor(x - reach[0]) - 1), min(right, math.ceil(x + reach[0]) + 1)
        y0, y1 = max(top, math.floor(y - reach[1]) - 1), min(bottom, math.ceil(y + reach[1]) + 1)
        if x0 >= x1 or y0 >= y1:
            return
        if turn:
            light, cover = self.turned((x0, y0, x1, y1), x, y, scale, turn)
        else:
            pair = self.layer if by_layer else (self.light, self.alpha)
            kernel = between if by_layer else shares
            rows = kernel(y0, y1, y - high, pair[0].shape[0], (1 if by_layer else DETAIL) / scale)
            columns = kernel(x0, x1, x - wide, pair[0].shape[1], (1 if by_layer else DETAIL) / scale)
            light, cover = (rows @ one @ columns.T for one in pair)
        part = frame[y0:y1, x0:x1]
        part *= 1 - alpha * cover
        part += alpha * light

    def turned(self, box, x, y, scale, turn):
        """Nine samples a pixel."""
        x0, y0, x1, y1 = box
        cosine, sine = math.cos(turn), math.sin(turn)
        sums = [np.zeros((y1 - y0, x1 - x0), np.float32) for _ in range(2)]
        for step in range(9):
            down, across = np.mgrid[y0:y1, x0:x1].astype(np.float32)
            across += (step % 3 + 0.5) / 3 - x
            down += (step // 3 + 0.5) / 3 - y
            u = ((cosine * across + sine * down) / scale + self.width / 2 + self.around) * DETAIL - 0.5
            v = ((-sine * across + cosine * down) / scale + self.height / 2 + self.around) * DETAIL - 0.5
            for sum_, one in zip(sums, (self.light, self.alpha)):
                sum_ += bilinear(one, u, v) / 9
        return sums


def shares(first, end, start, count, texels):
    """The share of each pixel that each texel covers."""
    edges = start + np.arange(count + 1) / texels
    pixels = np.arange(first, end)[:, None]
    return np.clip(np.minimum(pixels + 1, edges[None, 1:]) - np.maximum(pixels, edges[None, :-1]), 0, None).astype(np.float32)


def between(first, end, start, count, texels):
    """The weights of the texels beside each pixel's center."""
    places = (np.arange(first, end) + 0.5 - start) * texels - 0.5
    return np.clip(1 - np.abs(places[:, None] - np.arange(count)[None]), 0, None).astype(np.float32)


def bilinear(values, u, v):
    i, j = np.floor(v).astype(int), np.floor(u).astype(int)
    down, across = v - i, u - j
    inside = (v > -1) & (u > -1) & (v < values.shape[0]) & (u < values.shape[1])
    padded = np.pad(values, 1)
    i, j = np.clip(i + 1, 0, values.shape[0]), np.clip(j + 1, 0, values.shape[1])
    return inside * ((padded[i, j] * (1 - across) + padded[i, j + 1] * across) * (1 - down)
                     + (padded[i + 1, j] * (1 - across) + padded[i + 1, j + 1] * across) * down)


# ---- Elements


class Sheet:
    """What an element is drawn on, in pixels."""

    def __init__(self, width, height, around=0):
        self.width, self.height, self.around = width, height, around
        size = tuple(round((length + 2 * around) * DETAIL) for length in (width, height))
        self.image = Image.new("LA", size, (0, 0))
        self.pen = ImageDraw.Draw(self.image)

    def at(self, *numbers):
        return [(number + self.around) * DETAIL for number in numbers]

    def box(self, x, y, width, height, level, radius=0, alpha=1.0):
        low, high = self.at(x, y), self.at(x + width, y + height)
        self.pen.rounded_rectangle([*low, high[0] - 1, high[1] - 1], radius * DETAIL, fill=(round(255 * level), round(255 * alpha)))

    def text(self, x, y, size, words, level):
        font = ImageFont.load_default(size * DETAIL)
        self.pen.text(tuple(self.at(x, y)), words, fill=(round(255 * level), 255), font=font)

    def picture(self, x, y, width, height, rng, radius=0):
        """A photo: smooth levels with some detail."""
        shape = (round(height * DETAIL), round(width * DETAIL))
        down, across = np.mgrid[0:shape[0], 0:shape[1]] / DETAIL
        values = np.full(shape, 0.5)
        # Coarse levels are strong and fine ones weak, as in photos.
        for size, strength in ((130, 0.16), (71, 0.1), (37, 0.06), (19, 0.035), (9, 0.015)):
            angle, phase = rng.uniform(0, 2 * math.pi), rng.uniform(0, 2 * math.pi)
            values += strength * np.sin((across * math.cos(angle) + down * math.sin(angle)) * 2 * math.pi / size + phase)
        photo = Image.fromarray((np.clip(values, 0.03, 0.97) * 255).astype(np.uint8))
        mask = Image.new("L", photo.size, 0)
        ImageDraw.Draw(mask).rounded_rectangle([0, 0, shape[1] - 1, shape[0] - 1], radius * DETAIL, fill=255)
        self.image.paste(Image.merge("LA", (photo, mask)), tuple(round(n) for n in self.at(x, y)), mask)

    def texture(self):
        return Texture(self.image, self.width, self.height, self.around)


def with_shadow(sheet, strength=0.3, blur=4, down=2):
    alpha = sheet.image.getchannel("A").filter(ImageFilter.GaussianBlur(blur * DETAIL))
    shadow = Image.new("L", alpha.size, 0)
    shadow.paste(alpha.point(lambda value: round(value * strength)), (0, down * DETAIL))
    whole = Image.merge("LA", (Image.new("L", alpha.size, 0), shadow))
    whole.paste(sheet.image, (0, 0), sheet.image.getchannel("A"))
    # The shadow stays beside the element, whose own pixels are opaque.
    whole.putalpha(Image.fromarray(np.maximum(np.asarray(shadow), np.asarray(sheet.image.getchannel("A")))))
    return Texture(whole, sheet.width, sheet.height, sheet.around)


def card(theme, width, height):
    sheet = Sheet(width, height, 12)
    sheet.box(0, 0, width, height, theme.surface, 10)
    sheet.text(12, 8, max(9, height / 7), theme.words(2).title(), theme.ink)
    for line in range(int((height - 34) // 15)):
        sheet.text(12, 30 + 15 * line, 9.5, theme.words(9)[:max(4, int(width / 6.2))], (theme.ink + theme.surface) / 2)
    return with_shadow(sheet)


def photo(theme, width, height):
    sheet = Sheet(width, height)
    sheet.picture(0, 0, width, height, theme.rng, 8)
    return sheet.texture()


def bubble(theme, width, height):
    sheet = Sheet(width, height)
    sheet.box(0, 0, width, height, theme.accent, height / 2.6)
    level = 0.97 if theme.accent < 0.5 else 0.05
    for line in range(max(1, int((height - 12) // 15))):
        sheet.text(12, 7 + 15 * line, 11, theme.words(6)[:int((width - 24) / 6.4)], level)
    return sheet.texture()


def button(theme, size):
    sheet = Sheet(size, size)
    sheet.box(0, 0, size, size, theme.accent, size / 2)
    level = 0.97 if theme.accent < 0.5 else 0.05
    thick = max(2, size / 12)
    sheet.box(size / 4, (size - thick) / 2, size / 2, thick, level)
    sheet.box((size - thick) / 2, size / 4, thick, size / 2, level)
    return sheet.texture()


def row(theme, width, height):
    sheet = Sheet(width, height)
    sheet.box(0, 0, width, height, theme.surface)
    draw_row(sheet, theme, 0, width, height)
    return sheet.texture()


def draw_row(sheet, theme, y, width, height):
    sheet.picture(10, y + 8, height - 16, height - 16, theme.rng, 5)
    sheet.text(height + 4, y + 6, height / 4.2, theme.words(3)[:int(width / 10)], theme.ink)
    sheet.text(height + 4, y + height / 2, height / 5.5, theme.words(6)[:int(width / 8)], (theme.ink + theme.surface) / 2)
    sheet.box(height, y + height - 1, width - height, 1, (theme.ink + 3 * theme.surface) / 4)


def rows(theme, width, height, count, are_alike=False):
    sheet = Sheet(width, height * count)
    sheet.box(0, 0, width, height * count, theme.surface)
    if are_alike:
        one = row(theme, width, height)
        picture = Image.merge("LA", [Image.fromarray((part * 255).round().astype(np.uint8)) for part in (one.light, one.alpha)])
        for place in range(count):
            sheet.image.paste(picture, (0, round(place * height * DETAIL)))
    else:
        for place in range(count):
            draw_row(sheet, theme, place * height, width, height)
    return sheet.texture()


def drawer(theme, width, height):
    sheet = Sheet(width, height)
    sheet.box(0, 0, width, height + 30, theme.surface, 16)
    sheet.box(width / 2 - 18, 8, 36, 4, (theme.ink + 2 * theme.surface) / 3, 2)
    for line in range(int((height - 30) // 34)):
        sheet.text(16, 28 + 34 * line, 12, theme.words(3).capitalize(), theme.ink)
        sheet.box(16, 54 + 34 * line, width - 32, 1, (theme.ink + 3 * theme.surface) / 4)
    return sheet.texture()


def square(theme, size):
    sheet = Sheet(size, size)
    sheet.box(0, 0, size, size, theme.accent if abs(theme.accent - theme.paper) > 0.2 else 1 - theme.paper)
    return sheet.texture()


def dot(theme):
    """The circle that a system draws under a finger."""
    sheet = Sheet(26, 26)
    sheet.box(0, 0, 26, 26, 0.85 if theme.is_dark else 0.25, 13, 0.75)
    return sheet.texture()


def page(theme, width, height):
    """A header, texts and pictures, as high as is asked for."""
    sheet = Sheet(width, height)
    sheet.box(0, 0, width, height, theme.paper)
    sheet.box(0, 0, width, 40, theme.accent)
    sheet.text(12, 10, 16, theme.words(2).title(), 0.97 if theme.accent < 0.5 else 0.05)
    y = 54
    while y < height and theme.has_texts:
        if theme.rng.random() < 0.3 and theme.has_pictures:
            tall = theme.rng.uniform(50, 90)
            sheet.picture(12, y, width - 24, tall, theme.rng, 6)
            y += tall + 14
        for _ in range(theme.rng.randint(2, 4)):
            sheet.text(12, y, 11, theme.words(9)[:int(width / 6.6)], theme.ink)
            y += 16
        y += 12
    return sheet.texture()
