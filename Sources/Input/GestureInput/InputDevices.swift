/// The input devices that one getevent recording speaks of.
struct InputDevices {
  /// One device and what it reported.
  struct Device {
    /// The path, empty where the tool was started for one device and prints none.
    let path: String
    var name: String?
    var events: [KernelEvent] = []
  }

  /// Most devices that are told apart; a phone has about ten.
  static let limit = 64

  private(set) var list: [Device] = []
  private var described: Int?

  /// Adds an event; beyond ``limit`` devices it is dropped.
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
      described = index(of: shown(trimmed(path)))
      return true
    }
    if text.starts(with: "name:".utf8) {
      let name = trimmed(text.dropFirst(5)).filter { $0 != UInt8(ascii: "\"") }
      if let described { list[described].name = shown(name[...]) }
      return true
    }
    return text.starts(with: "remove device ".utf8) || text.starts(with: "could not ".utf8)
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
