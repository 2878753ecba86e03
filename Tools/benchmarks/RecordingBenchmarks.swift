import TimelineModel
import TimelineRecorder
import TransitionEngine

/// Whole transitions of 200 items at 120 Hz with the recorder behind them.
let recordingBenchmarks: [Benchmark] = [
  Benchmark(
    name: "record-dropped", group: "record", unit: Benchmark.displayFrame,
    summary: "frames of transitions of 200 items at 120 Hz into a sink that drops them"
  ) {
    let stage = try TransitionStage(items: recordedItems, sink: DroppingSink())
    return Benchmark.Work { units in try frames(units, of: stage) }
  },
  Benchmark(
    name: "record-memory", group: "record", unit: Benchmark.displayFrame,
    summary: "the same into the recorder's memory; what writes it down is not counted"
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
    name: "record-file", group: "record", unit: Benchmark.displayFrame,
    summary: "the same into a temporary file, written on the same thread"
  ) {
    try recordedIntoFile(RecorderSettings())
  },
  Benchmark(
    name: "record-file-sealed", group: "record", unit: Benchmark.displayFrame,
    summary: "the same, sealed as it comes"
  ) {
    var settings = RecorderSettings()
    settings.sealsFromStart = true
    return try recordedIntoFile(settings)
  },
]

private func recordedIntoFile(_ settings: RecorderSettings) throws -> Benchmark.Work {
  let recorder = try temporaryRecorder(settings)
  let stage = try TransitionStage(items: recordedItems, sink: recorder)
  return Benchmark.Work { units in
    let done = try frames(units, of: stage)
    recorder.writeBatch()
    return done
  }
}

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
