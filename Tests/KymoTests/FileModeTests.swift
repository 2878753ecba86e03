import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder

/// Who may read what kymo makes.
@Suite struct FileModeTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func mode(_ name: String) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: place.path(name))
    return (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  private func setMode(_ mode: Int, _ name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: place.path(name))
  }

  @Test func `what lies beside a recording has the recording's permissions`() throws {
    for mode in [0o600, 0o640, 0o644, 0o666] {
      let path = try place.record(Scenarios.script, into: "run.kymo")
      try setMode(mode, "run.kymo")
      // As a killed recorder would leave it for the next one.
      try Data().write(to: URL(fileURLWithPath: path + "-crash2"))
      let recorder = try Recorder(
        path: path, session: SessionDescription(software: "tests", clock: "app"), policy: .wait)
      for ending in ["-crash2", "-wal", "-shm"] {
        #expect(try self.mode("run.kymo" + ending) == mode, "\(ending)")
      }
      try recorder.finish(at: .zero, outcome: .none)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test
  func
    `what is made of recordings follows the umask, and is read by nobody who may not read those`()
    throws
  {
    try place.record(Scenarios.script, into: "a.kymo")
    try place.record(Scenarios.script, into: "b.kymo")
    let script = """
      umask "$1"; cd "$2"
      kymo file merge a.kymo --into merged.kymo && kymo file recover a.kymo --out recovered.kymo &&
      kymo report a.kymo b.kymo -o page.html && kymo export csv a.kymo -o table.csv &&
      kymo plot a.kymo -o plot.svg && kymo plot a.kymo --film -o film.svg &&
      kymo replay a.kymo --cast play.cast && kymo file merge b.kymo a.kymo --into both.kymo &&
      { kymo compare a.kymo b.kymo --page compared.html; true; }
      """
    for (umask, modes, expected) in [
      ("022", (0o600, 0o644), 0o600), ("022", (0o644, 0o644), 0o644),
      ("077", (0o644, 0o644), 0o600),
      ("000", (0o640, 0o666), 0o640), ("022", (0o440, 0o644), 0o640),
    ] {
      try setMode(modes.0, "a.kymo")
      try setMode(modes.1, "b.kymo")
      #if os(Linux)
        let run = try shell(script, [umask, place.folder.url.path])
      #else
        // No thread has a mask of its own.
        let run = try ProgramRun.shell(
          "kymo() { \"$kymo\" \"$@\"; }\n" + script, [umask, place.folder.url.path])
      #endif
      #expect(run.code == 0, "\(run.errors)")
      for name in try place.names() where !["a.kymo", "b.kymo"].contains(name) {
        #expect(try mode(name) == expected, "\(name), umask \(umask)")
        try FileManager.default.removeItem(atPath: place.path(name))
      }
    }
  }

  @Test func `a recording that gets content of one that fewer may read is closed to the others`()
    throws
  {
    try place.record(Scenarios.script, into: "private.kymo")
    try setMode(0o600, "private.kymo")
    try place.record(Scenarios.script, into: "shared.kymo")
    try setMode(0o644, "shared.kymo")
    let run = try kymo(
      "file merge", place.path("private.kymo"), "--into", place.path("shared.kymo"))
    #expect(run.code == 0)
    #expect(run.errors.contains("shared.kymo were narrowed"))
    #expect(try mode("shared.kymo") == 0o600)
  }
}
