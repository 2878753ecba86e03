import Foundation
import GestureInput
import TimelineModel

/// Files of the package that tests read.
enum Files {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func fixture(_ name: String) throws -> [UInt8] {
    try bytes(root.appending(path: "Tests/Fixtures/gestures/\(name)"))
  }

  static func bytes(_ url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }
}

/// Reads touches from a text.
func read(_ text: String, as format: GestureFormat? = nil) throws -> GestureRecording {
  try readGesture(Array(text.utf8), format: format, name: "test")
}

/// An evemu recording from frames in short form: `frame(8, "39=5 35=100 36=200")` is a report 8 ms
/// after the start, code and value, type 3 unless another stands before a colon.
func evemu(_ frames: [(milliseconds: Int, events: String)]) -> String {
  var text = "# EVEMU 1.3\nN: test panel\n"
  for frame in frames {
    let fraction = String(frame.milliseconds % 1000)
    let time =
      "\(frame.milliseconds / 1000)."
      + String(repeating: "0", count: 3 - fraction.count) + fraction + "000"
    for event in frame.events.split(separator: " ") {
      let halves = event.split(separator: "=")
      let code = halves[0].split(separator: ":")
      text += "E: \(time) \(code.count == 2 ? code[0] : "3") \(code.last!) \(halves[1])\n"
    }
    text += "E: \(time) 0000 0000 0\n"
  }
  return text
}

/// A touch in one line: `0 0 began 540,600`, that is milliseconds, contact, phase and place.
func lines(_ recording: GestureRecording) -> [String] {
  recording.touches.map { touch in
    let milliseconds = Double(touch.time.nanoseconds) / 1e6
    return "\(short(milliseconds)) \(touch.contact) \(touch.phase.rawValue)"
      + " \(short(touch.position.x)),\(short(touch.position.y))"
  }
}

private func short(_ number: Double) -> String {
  number == number.rounded() ? String(Int(number)) : String(number)
}
