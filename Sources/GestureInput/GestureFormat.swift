/// A kind of text, or of bytes, that recorded touches are read from.
///
/// ``allCases`` is every kind: devices and programs of Linux, tables, JSON, and shapes of log lines.
public struct GestureFormat: RawRepresentable, CaseIterable, Hashable, Sendable {
  /// The name that `--gesture-format` takes.
  public let rawValue: String
  /// What the text is, in the words of those who have it: "MotionEvent.toString()".
  package let title: String

  /// A line of it, for help. `nil` if it is not a line of a log.
  package var example: String? {
    self == .namedValues
      ? "touch down x=400, y: 900, t=1012" : TextShape.all.first { $0.format == self }?.example
  }

  package init(name: String, title: String) {
    (rawValue, self.title) = (name, title)
  }

  /// The format of a name. `nil` if there is none.
  public init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// Linux `evemu-record`: `E: seconds.microseconds type code value`.
  public static let evemu = GestureFormat(name: "evemu", title: "evemu-record")
  /// Android `getevent -lt` or `getevent -t`.
  public static let getevent = GestureFormat(name: "getevent", title: "getevent")
  /// Rows under a header that names the columns, in any order.
  public static let table = GestureFormat(name: "table", title: "a table")
  /// JSON: a list of events, or an event a line.
  public static let json = GestureFormat(name: "json", title: "JSON")
  /// W3C InkML: traces of a pen or a finger.
  public static let inkML = GestureFormat(name: "inkml", title: "InkML")
  /// XML whose elements have positions and times as attributes, such as the gestures of the $1 and $N recognizers.
  public static let gestureXML = GestureFormat(
    name: "gesture-xml", title: "$1 and $N gestures (XML)")
  /// Linux `libinput record`: YAML with the kernel's events.
  public static let libinputRecord = GestureFormat(
    name: "libinput-record", title: "libinput record")
  /// Linux `libinput debug-events`: how far the fingers of a gesture went, not where they are.
  public static let libinputEvents = GestureFormat(
    name: "libinput-events", title: "libinput debug-events")
  /// Linux `evtest`: `Event: time S.U, type T (…), code C (…), value V`.
  public static let evtest = GestureFormat(name: "evtest", title: "evtest")
  /// The bytes of a Linux device file, `cat /dev/input/event5`.
  public static let evdev = GestureFormat(name: "evdev", title: "the bytes of a device file")

  /// Lines of a log that name their numbers: `x=12.5 y=40 t=1012`.
  package static let namedValues = GestureFormat(
    name: "named-values", title: "lines with named values")
  /// The lines of `--pattern`.
  package static let pattern = GestureFormat(name: "pattern", title: "the shape of --pattern")

  /// All formats, those of devices first.
  public static let allCases: [GestureFormat] =
    [
      .evemu, .getevent, .table, .json, .libinputRecord, .libinputEvents, .evtest, .evdev, .inkML,
      .gestureXML,
    ]
    + TextShape.all.filter { $0.refusal == nil }.map(\.format) + [.namedValues]

  /// Whether the places are in the units of a device, not in points.
  package var isInDeviceUnits: Bool {
    [.evemu, .getevent, .libinputRecord, .evtest, .evdev].contains(self)
      || TextShape.compiled.contains { $0.shape.format == self && $0.holes.contains(.code) }
  }
}
