import TimelineModel
import TimelineRecorder
import TransitionEngine

/// Whole transitions of 200 items at 120 Hz written into the recorder.
let recordingBenchmarks: [Benchmark] = [
  Benchmark(
    name: "record-memory", group: "record", unit: Benchmark.displayFrame,
    bars: [.percentOfCore(1)],
    summary: "frames of transitions of 200 items at 120 Hz into the recorder's memory, not written"
  ) {
    var settings = RecorderSettings.byHand
    settings.ringBytes = 128 << 20
    let recorder = try temporaryRecorder(settings)
    let stage = try TransitionStage(items: recordedItems, sink: recorder)
    return Benchmark.Work {
      try frames($0, of: stage)
    } tidyUp: {
      recorder.writeBatch()
    }
  },
  Benchmark(
    name: "record-file-sealed", group: "record", unit: Benchmark.displayFrame,
    bars: [.instructions(1_200_000)],
    summary: "the same into a temporary file, packed as it comes, written on the same thread"
  ) {
    var settings = RecorderSettings()
    settings.sealsFromStart = true
    let recorder = try temporaryRecorder(settings)
    let stage = try TransitionStage(items: recordedItems, sink: recorder)
    return Benchmark.Work { units in
      let done = try frames(units, of: stage)
      recorder.writeBatch()
      return done
    }
  },
]

private let recordedItems = 200

private func frames(_ count: Int, of stage: TransitionStage) throws -> Int {
  var done = 0
  while done < count { done += try stage.runTransition() }
  return done
}

/// A recorder into a file that nobody else sees: its name is taken away as soon as it is open.
private func temporaryRecorder(_ settings: RecorderSettings) throws -> Recorder {
  let folder = try TemporaryFolder()
  return try withExtendedLifetime(folder) { try folder.recorder(.wait, .ofBenchmarks, settings) }
}
