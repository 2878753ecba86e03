"""What is done on which page of a library, and the elements whose motion a reader wants to hear of."""
import dataclasses
import re
import shlex


@dataclasses.dataclass(frozen=True)
class Action:
    """One action, as the second client does it: a kind, a selector or a key, the way in px, and times in ms."""
    kind: str
    target: str = ""
    way: tuple = (0, 0)
    duration: float = 0
    hold: float = 0
    # The start from the upper left corner, instead of the middle.
    begin: tuple | None = None


@dataclasses.dataclass(frozen=True)
class Subject:
    """An element that the second client reads, and the names by which kymo may call what moves there."""
    selector: str
    names: str

    def is_named(self, name):
        return re.search(rf"(^|[ ,.:])({self.names})(#\d+)?($|[ ,:])", name) is not None


@dataclasses.dataclass(frozen=True)
class Case:
    """One call of kymo watch. One of its subjects has to be named with its way."""
    library: str
    page: str
    words: tuple
    subjects: tuple
    # The library measures the finger's speed with the clock, so how far it goes on is another number on each machine.
    glides: bool = False
    # It zooms: its size says it, not the way of its middle.
    zooms: bool = False
    # The length of an endless strip, in px.
    wraps: float = 0
    # It belongs to the few that are watched without --long.
    is_short: bool = False

    @property
    def mouse(self):
        return "--mouse" in self.words

    @property
    def name(self):
        return f"{self.page} {shlex.join(self.words)}"

    @property
    def selectors(self):
        return [subject.selector for subject in self.subjects]

    @property
    def actions(self):
        """The words as actions of the second client."""
        found, words = [], [word for word in self.words if word != "--mouse"]
        while words:
            flag, value = words.pop(0), words.pop(0)
            if flag in ["--swipe", "--drag"]:
                way = tuple(map(float, words.pop(0).split(",")))
                kind = "flick" if flag == "--swipe" else "drag"
                found.append(Action(kind, value, way, 120 if kind == "flick" else 420))
            elif flag in ["--click", "--press"]:
                found.append(Action(flag[2:], value))
            elif flag == "--wait":
                found.append(Action("wait", duration=float(value)))
            elif flag == "--hold":
                found[-1] = dataclasses.replace(found[-1], hold=float(value))
            elif flag == "--speed":
                found[-1] = dataclasses.replace(found[-1], duration=float(value))
            elif flag == "--from":
                found[-1] = dataclasses.replace(found[-1], begin=tuple(map(float, value.split(","))))
            else:
                raise ValueError(f"the second client does not do {flag}")
        return found


def case(library, page, words, *subjects, glides=False, zooms=False, wraps=0, is_short=False):
    """A subject is a selector, and behind = the names of what may stand for it, as a regular expression; without these
    it is called by its own id or first class."""
    found = []
    for text in subjects:
        selector, _, names = text.partition(" = ")
        found.append(Subject(selector, names or re.escape(selector.lstrip("#."))))
    return Case(library, page, tuple(shlex.split(words)), tuple(found), glides, zooms, wraps, is_short)


MAP = "#pin = pin|map|leaflet-pane|leaflet-marker-icon|tile"
PICTURE = ".olTileImage = olTileImage|map|OpenLayers_Map_4_OpenLayers_Container"

CASES = [
    case("Leaflet", "leaflet", "--swipe '#map' -120,60", MAP, glides=True),
    case("Leaflet", "leaflet", "--drag '#map' 100,-40 --hold 300", MAP),
    case("Leaflet", "leaflet", "--click '.leaflet-control-zoom-in'", ".tile = tile|leaflet-tile-container|leaflet-pane|map",
         zooms=True),
    case("OpenLayers", "openlayers", "--mouse --drag '#map' -120,60", PICTURE, glides=True),
    case("OpenLayers", "openlayers", "--mouse --swipe '#map' -120,60", PICTURE, glides=True),
    case("OpenLayers", "openlayers", "--swipe '#map' -120,60", PICTURE, glides=True),
    case("OpenLayers", "openlayers", "--click '#OpenLayers_Control_PanZoom_3_panright'", PICTURE),
    case("Bootstrap", "bootstrap", "--swipe '#carousel' -200,0", "#one", "#two"),
    case("Bootstrap", "bootstrap", "--click '#next'", "#one", "#two"),
    case("Bootstrap", "bootstrap", "--click '#menu'", "#drawer", is_short=True),
    case("Bootstrap", "bootstrap", "--click '#more'", "#below", "#text"),
    case("Bootstrap", "bootstrap", "--click '#ask'", "#box"),
    case("Bootstrap", "bootstrap", "--click '#more' --wait 800 --click '#more'", "#below"),
    case("jQuery UI", "jquery-ui", "--drag '#handle' 120,0", "#handle"),
    case("jQuery UI", "jquery-ui", "--drag '#box' 100,40", "#box"),
    case("jQuery UI", "jquery-ui", "--swipe '#box' 100,40", "#box"),
    case("jQuery UI", "jquery-ui", "--drag '#r1' 0,100 --speed 700", "#r1", "#r2", "#r3"),
    case("jQuery UI", "jquery-ui", "--mouse --drag '#r1' 0,100 --speed 700", "#r1", "#r2", "#r3"),
    case("jQuery UI", "jquery-ui", "--click '#head2'", "#head2", "#part1", "#part2"),
    case("jQuery UI", "jquery-ui", "--click '#slider'", "#handle", is_short=True),
    case("jQuery Mobile", "jquery-mobile", "--click '#menu'", "#panel"),
    case("jQuery Mobile", "jquery-mobile", "--click '#go'", "#first", "#second"),
    case("jQuery Mobile", "jquery-mobile", "--drag '.ui-slider-handle' 100,0", ".ui-slider-handle"),
    case("jQuery Mobile", "jquery-mobile", "--click '#head'", "#fold"),
    case("Sortable", "sortable", "--drag '#r1' 0,110 --speed 700", ".sortable-fallback = r1", "#r1", "#r2", "#r3"),
    case("Sortable", "sortable", "--mouse --drag '#r1' 0,110 --speed 700", ".sortable-fallback = r1", "#r1", "#r2", "#r3"),
    case("Slick", "slick", "--swipe '#ending' -200,0", "#track = track|ending", is_short=True),
    case("Slick", "slick", "--swipe '#ending' 160,0", "#track = track|ending"),
    case("Slick", "slick", "--mouse --swipe '#ending' -200,0", "#track = track|ending"),
    case("Slick", "slick", "--drag '#ending' -230,0 --speed 600", "#track = track|ending"),
    case("Slick", "slick", "--drag '#ending' -60,0 --hold 300", "#track = track|ending"),
    case("Slick", "slick", "--swipe '#endless' 200,0", "#wheel = wheel|endless", wraps=1560),
    case("noUiSlider", "nouislider", "--drag '#handle1' 90,0", "#handle1 = handle1|noUi-origin", is_short=True),
    case("noUiSlider", "nouislider", "--click '#range'", "#handle1 = handle1|noUi-origin"),
    case("noUiSlider", "nouislider", "--drag '#handle3' 100,0", "#handle3 = handle3|noUi-origin"),
    case("impress.js", "impress", "--press ArrowRight", "#two", r"#one = one|div#1|impress", "#three"),
    case("Cropper", "cropper", "--mouse --drag '#area' 60,80", "#area"),
    case("Cropper", "cropper", "--mouse --drag '#picture' 60,80 --from 20,300", "#area"),
    case("Fancybox", "fancybox", "--click '#thumb'", "#fancybox-wrap"),
    case("Slides", "jquery-slides", "--click '#next'", "#two", "#one", ".slides_control = slides|slides_control"),
    case("Slides", "jquery-slides", "--click '#next' --wait 800 --click '#next'", "#three", "#two",
         ".slides_control = slides|slides_control"),
    case("lightGallery", "lightgallery", "--click '#c8ac'", ".lg-object"),
    case("lightGallery", "lightgallery", "--click '#c8ac' --wait 1000 --swipe '.lg-current' -200,0",
         ".lg-item:nth-child(1) = lg-item|lg-inner", ".lg-item:nth-child(2) = lg-item|lg-inner"),
    case("Quasar", "quasar", "--click '#menu'", ".q-drawer"),
    case("Quasar", "quasar", "--swipe '#carousel' -200,0", ".q-carousel__slide = carousel|q-panel|q-carousel__slide"),
    case("Quasar", "quasar", "--drag '#slider' 80,0", ".q-slider__thumb = slider|q-slider__thumb"),
    case("Quasar", "quasar", "--drag '#row' 120,0", ".q-slide-item__content = row|q-slide-item__content"),
    case("Quasar", "quasar", "--drag '#row' 60,0", ".q-slide-item__content = row|q-slide-item__content"),
    case("Swiper", "swiper", "--swipe '#swiper' -200,0", ".swiper-wrapper = swiper|swiper-wrapper"),
    case("Swiper", "swiper", "--swipe '#swiper' 200,0", ".swiper-wrapper = swiper|swiper-wrapper"),
    case("Swiper", "swiper", "--drag '#swiper' -60,0 --hold 300", ".swiper-wrapper = swiper|swiper-wrapper"),
]
