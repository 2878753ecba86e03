import PictureTracking
import TimelineModel
import TimelineStore

/// An element that is followed through a clip, as `--track NAME=X,Y,WxH[@TIME|@end]` marks it.
struct VideoTrack {
  /// The name, which the element has in the recording.
  var name: String
  /// Its outline, in pixels of the picture.
  var rectangle: TrackRectangle
  /// In which picture it was marked.
  var place: Place
  /// The number of the candidate that has the outline. `nil`: the outline was given.
  var candidate: Int?

  enum Place: Equatable {
    case first
    /// The picture that is shown at a time of the clip, in nanoseconds.
    case time(Int64)
    case last
  }

  /// The name of a track whose positions are touches.
  static let finger = "finger"

  var isFinger: Bool { name == Self.finger }

  /// More are not followed at once.
  static let most = 16

  /// The outline as the flag has it: `36,580,320x120`.
  var outline: String {
    func short(_ number: Double) -> String { NumberText.decimals(number, most: 3) }
    return "\(short(rectangle.x)),\(short(rectangle.y)),"
      + "\(short(rectangle.width))x\(short(rectangle.height))"
  }

  /// Reads the value of the flag.
  init(_ text: String, of flag: String) throws {
    let usage = Failure.usage(
      "--\(flag) must be NAME=X,Y,WxH in pixels, such as sheet=36,580,320x120, or NAME=#3, and @TIME or @end for another picture "
        + "than the first (got '\(text)')")
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 100 else { throw usage }
    guard !parts[0].unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw Failure.usage("--\(flag): a name cannot have control characters") }
    name = String(parts[0])
    let marks = parts[1].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    switch marks.count > 1 ? marks[1] : nil {
    case nil: place = .first
    case "end": place = .last
    case let time?:
      guard let time = parseTime(String(time)), time >= 0 else { throw usage }
      place = .time(time)
    }
    if marks[0].first == "#", let number = Int(marks[0].dropFirst()), number > 0 {
      candidate = number
      rectangle = TrackRectangle(x: 0, y: 0, width: 0, height: 0)
      return
    }
    let numbers = marks[0].split(separator: ",", omittingEmptySubsequences: false)
    let sides = numbers.last?.split(separator: "x", omittingEmptySubsequences: false) ?? []
    guard numbers.count == 3, sides.count == 2 else { throw usage }
    let values = (numbers.dropLast() + sides).compactMap { Double($0.trimmed) }
    guard values.count == 4, values.allSatisfy({ abs($0) < 1e6 }) else { throw usage }
    rectangle = TrackRectangle(
      x: values[0], y: values[1], width: values[2], height: values[3])
  }

  /// Why the outline cannot be followed in a picture of a size. `nil`: it can.
  func refusal(width: Int, height: Int) -> String? {
    let picture = "\(width)x\(height)"
    let (w, h) = (rectangle.width, rectangle.height)
    guard w >= 8, h >= 8 else {
      return "\(name): \(outline) is smaller than 8x8. Mark more of the element"
    }
    guard rectangle.x + w > 0, rectangle.y + h > 0, rectangle.x < Double(width),
      rectangle.y < Double(height)
    else { return "\(name): \(outline) is outside of the picture, \(picture)" }
    guard w * h <= 0.9 * Double(width * height) else {
      return
        "\(name): \(outline) is more than 90 % of the picture, \(picture). Mark an element in it"
    }
    return nil
  }
}

extension VideoTrack {
  /// What the event `video` keeps of it.
  var fields: [EventField] {
    EventField.known([
      "name": name, "left": rectangle.x, "top": rectangle.y, "width": rectangle.width,
      "height": rectangle.height, "at": place == .last ? "end" : nil, "at_ns": place.time,
    ])
  }

  /// Reads what the event keeps. `nil`: something is missing.
  init?(recorded value: FieldValue) {
    guard case .text(let name)? = value["name"], let x = value["left"]?.asNumber,
      let y = value["top"]?.asNumber
    else { return nil }
    guard let width = value["width"]?.asNumber, let height = value["height"]?.asNumber else {
      return nil
    }
    self.name = name
    rectangle = TrackRectangle(x: x, y: y, width: width, height: height)
    switch (value["at"], value["at_ns"]) {
    case (.text("end"), _): place = .last
    case (_, .integer(let time)?): place = .time(time)
    default: place = .first
    }
  }
}

extension VideoTrack.Place {
  var time: Int64? { if case .time(let time) = self { time } else { nil } }
}

extension FieldValue {
  /// The number that it is.
  fileprivate var asNumber: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}

/// The tracks of a recording of a clip, for another clip.
struct EarlierVideo {
  let tracks: [VideoTrack]
  let scale: Double
  let width: Int?
  let height: Int?
  /// The clip's name and digest. `nil`: it was recorded without names.
  let file: String?
  let digest: String?
  /// The stretch that was recorded, in nanoseconds of the clip.
  let stretch: ClosedRange<Int64>

  /// The names of its ends in the event.
  static let (from, to) = ("clip_from_ns", "clip_to_ns")
  /// And of the tracks of fingers, which are left out with the touches.
  static let fingers = "finger_tracks"

  /// How wide a page shows its pictures, in pixels: its stage is at most 800 high and 960 wide.
  var shownWidth: Int {
    guard let width, let height, height > 0 else { return 480 }
    return max(16, min(width, 960, width * 800 / height))
  }

  /// - Parameter name: The recording, as the person named it.
  init(_ source: SessionArgument, _ name: String) throws {
    let none = Failure.usage(
      "\(name) has no tracks of a clip. Name a recording of kymo record --video")
    let event = try source.reader.events(in: source.session.number).rest().first {
      $0.kind == .video
    }
    guard let event, let fields = FieldValue(json: event.fieldsJSON.utf8) else { throw none }
    guard case .list(let recorded)? = fields["tracks"] else { throw none }
    let elements = recorded.compactMap { VideoTrack(recorded: $0) }
    guard elements.count == recorded.count else { throw none }
    var fingers: [VideoTrack] = []
    if case .list(let recorded)? = fields[Self.fingers] {
      fingers = recorded.compactMap { VideoTrack(recorded: $0) }
    }
    tracks = elements + fingers
    guard !tracks.isEmpty else { throw none }
    scale = fields["scale"]?.asNumber ?? 1
    width = fields["width"]?.asNumber.flatMap { Int(exactly: $0) }
    height = fields["height"]?.asNumber.flatMap { Int(exactly: $0) }
    file = fields["file"]?.asText
    digest = fields["sha256"]?.asText.flatMap { $0.utf8.count == 64 ? $0 : nil }
    func nanoseconds(_ name: String) -> Int64? {
      fields[name]?.asNumber.flatMap { Int64(exactly: $0) }
    }
    let (from, to) = (nanoseconds(Self.from) ?? .min, nanoseconds(Self.to) ?? .max)
    guard from <= to else { throw none }
    stretch = VideoTracking.stretch(from, to)
  }
}
