import TimelineModel

/// The input devices that one recording speaks of.
struct InputDevices {
  /// One device and its reports.
  struct Device {
    /// The path, empty where the tool was started for one device and prints none.
    let path: String
    var name: String?
    var events: [KernelEvent] = []
    var resolutions = AxisResolutions()
  }

  /// Most devices that are distinguished. A phone has about ten.
  static let limit = 64

  private(set) var list: [Device] = []
  private var described: Int?

  /// Adds an event. Beyond ``limit`` devices it is dropped.
  mutating func append(_ event: KernelEvent, path: String) {
    if let index = index(of: path) { list[index].events.append(event) }
  }

  /// Takes in a line that describes devices: `add device 1: /dev/input/event2`, its name, and what
  /// the tool says beside them.
  ///
  /// - Returns: Whether it was such a line.
  mutating func isDescription(_ text: ArraySlice<UInt8>) -> Bool {
    if text.starts(with: "add device ".utf8) {
      let path = text.split(separator: UInt8(ascii: ":"), maxSplits: 1).dropFirst().first ?? []
      describe(path: shown(trimmed(path)))
      return true
    }
    if text.starts(with: "name:".utf8) {
      name(trimmed(text.dropFirst(5)))
      return true
    }
    return text.starts(with: "remove device ".utf8) || text.starts(with: "could not ".utf8)
  }

  /// Begins the description of a device.
  mutating func describe(path: String) { described = index(of: path) }

  /// Names the device that is being described. Quotation marks are left out.
  mutating func name(_ name: ArraySlice<UInt8>) {
    guard let described else { return }
    list[described].name = shown(name.filter { $0 != UInt8(ascii: "\"") }[...])
  }

  /// Keeps the units per millimetre of an axis of the device that is being described.
  mutating func note(resolution: Int, of axis: UInt16) {
    if let described { list[described].resolutions.note(resolution, of: axis) }
  }

  /// Reads the touches of one of the devices, and says which were left out.
  ///
  /// - Returns: The device's name, or its path where it has none. `nil` where no device has touches.
  func readTouches(into log: inout TouchLog) -> String? {
    guard let device = touchDevice else { return nil }
    for other in list where other.path != device.path {
      guard let first = other.events.first else { continue }
      var others = TouchLog()
      GestureInput.readTouches(from: other.events, into: &others)
      let contacts = others.touches.count { $0.phase == .began }
      guard contacts > 0 else {
        log.warn("Touches are those of \(device.path). The events of \(other.path) were left out.")
        continue
      }
      log.losses.add(
        line: first.line,
        "Touches are those of \(device.path), and \(contacts == 1 ? "1 contact" : "\(contacts) contacts") of"
          + " \(other.path) \(contacts == 1 ? "was" : "were") left out. Record one device at a time to have both."
      )
    }
    GestureInput.readTouches(from: device.events, into: &log)
    log.resolutions = device.resolutions
    return device.name ?? (device.path.isEmpty ? nil : device.path)
  }

  /// The device to read touches from.
  var touchDevice: Device? {
    first(reporting: [.positionX, .positionY]) ?? first(reporting: [.touchButton])
  }

  private func first(reporting kinds: Set<KernelEvent.Kind>) -> Device? {
    let lines = list.map { $0.events.first { kinds.contains($0.kind) }?.line ?? .max }
    guard let earliest = lines.min(), earliest < .max else { return nil }
    return zip(lines, list).first { $0.0 == earliest }?.1
  }

  private mutating func index(of path: String) -> Int? {
    if let index = list.firstIndex(where: { $0.path == path }) { return index }
    guard list.count < Self.limit else { return nil }
    list.append(Device(path: path))
    return list.count - 1
  }
}
