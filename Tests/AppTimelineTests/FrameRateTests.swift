import AppTimeline
import MotionMeasures
import Testing
import TimelineModel
import TimelineSession
import TimelineStore

/// A display that changes its rate misses no frame; one that is missed is a hitch at any rate.
@Suite struct FrameRateTests {
  private func metrics(_ drive: (SimulatedApp) -> Void) throws -> FrameMetrics {
    let app = try SimulatedApp()
    app.timeline.start(from: "a", to: "b", at: app.now)
    drive(app)
    app.timeline.complete(completed: false, finished: false, at: app.now)
    let reader = try app.finish()
    return FrameMetrics(try Frames(FileSource(reader.sessionRecord(1), in: reader)))
  }

  @Test(arguments: [0, 1, 3, 60])
  func `a change from 120 to 60 Hz and back is no hitch, however short`(slowFrames: Int) throws {
    let found = try metrics { app in
      for frame in 0..<60 { app.drive(Double(frame) / 200) }
      app.interval = 1 / 60.0
      for frame in 0..<slowFrames { app.drive(0.3 + Double(frame) / 200) }
      app.interval = 1 / 120.0
      for frame in 0..<60 { app.drive(0.6 + Double(frame) / 200) }
    }
    #expect(found.lateFrames.isEmpty)
    #expect(found.hitchRatio == 0)
    #expect(found.band == .good)
    #expect(found.expectedFrom == .displayInterval)
  }

  @Test(arguments: [1 / 120.0, 1 / 60.0] as [Double])
  func `a missed frame is one, at either rate`(interval: Double) throws {
    let found = try metrics { app in
      app.interval = interval
      for frame in 0..<60 {
        app.timeline.setProgress(Double(frame) / 100, at: app.now)
        app.layOut(Double(frame) / 100)
        app.show(missing: frame == 30 ? 1 : 0)
      }
    }
    #expect(found.lateFrames == [31])
    #expect(found.expectedSeconds.map { abs($0 - interval) < 1e-6 } == true)
  }

  @Test func `minutes at rest are neither a hitch nor a step of the clock, as those of a drag are`()
    throws
  {
    let app = try SimulatedApp()
    app.drag()
    app.wait(300)
    app.drag(finish: false)
    let reader = try app.finish()
    let found = FrameMetrics(try Frames(FileSource(reader.sessionRecord(1), in: reader)))
    #expect(found.lateFrames.isEmpty)
    #expect(found.backwardCount == 0)
    let odd = try SimulatedApp()
    odd.timeline.start(from: "a", to: "b", at: odd.now)
    odd.drive(0.5)
    odd.wait(300)
    odd.drive(0.6)
    let other = try odd.finish(findings: ["clockStep"])
    #expect(
      FrameMetrics(try Frames(FileSource(other.sessionRecord(1), in: other))).lateFrames == [1])
  }

  @Test func `a display's interval is no motion, and has no velocity`() throws {
    let app = try SimulatedApp()
    app.drag()
    let reader = try app.finish()
    let report = try VelocityReport(of: reader.sessionRecord(1), in: reader)
    let names = report.releases.flatMap(\.motions).compactMap { motion in
      if case .key(let key) = motion.subject { key.name } else { nil }
    }
    #expect(names == ["progress"])
    #expect(try reader.keys(in: 1).map(\.name).contains("display.interval"))
  }
}
