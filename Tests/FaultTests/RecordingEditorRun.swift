import TimelineStore

/// A piece of work on a whole recording, as the programs do it.
struct RecordingEditorRun: Sendable {
  let work: @Sendable (RecordingEditor) throws(StoreError) -> Void

  init(_ work: @escaping @Sendable (RecordingEditor) throws(StoreError) -> Void) {
    self.work = work
  }

  func trial(at path: String) -> Trial {
    var trial = Trial()
    do throws(StoreError) {
      try work(RecordingEditor(path: path))
    } catch {
      trial.thrown.append(error)
    }
    return trial
  }
}
