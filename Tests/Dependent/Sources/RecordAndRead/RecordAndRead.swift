import Foundation
import Kymograph

/// Records a value, a touch and an event with nothing but `Kymograph`, reads them again, and prints them.
@main
enum RecordAndRead {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("run.kymo").path

    let recorder = try Recorder(path: path)
    let alpha = recorder.key("alpha", unit: "1")
    alpha.record(0.5)
    recorder.record(
      TouchSample(time: recorder.now, contact: 1, phase: .began, position: Point2D(x: 1, y: 2)))
    recorder.record(TimelineEvent(time: recorder.now, kind: .start))
    recorder.record(TimelineEvent(time: recorder.now, kind: .finish))
    try recorder.finish()

    for session in try RecordingReader(path: path).sessions() {
      for sample in try session.samples(of: "alpha") { print("sample", sample.value) }
      for touch in try session.touches { print("touch", touch.position.x, touch.position.y) }
      print("transitions", try session.transitions.count)
      print("outcome", session.outcome?.rawValue ?? "none")
    }
  }
}
