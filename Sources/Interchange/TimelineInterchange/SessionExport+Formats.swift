import TimelineStore

extension SessionExport {
  /// Writes the session.
  ///
  /// - Parameters:
  ///   - format: What as.
  ///   - progress: Told now and then how far the work is, from 0 to 1.
  ///   - output: Takes the bytes piece by piece, 64 KiB or a row at a time.
  /// - Returns: What the format could not carry.
  /// - Throws: `StoreError` when the file cannot be read, and whatever `output` throws.
  public func write(
    _ format: ExportFormat, progress: @escaping (Double) -> Void = { _ in },
    to output: @escaping ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    let text = ExportText(output)
    let losses = LossCounter(format)
    let work = ExportWork(
      export: self, text: text, losses: losses,
      steps: ExportSteps(total: stepCount(format), progress))
    var report = ExportReport()
    func motion(_ tracks: StageTracks) throws -> StageMotion {
      let motion = try StageMotion(tracks, of: work)
      (report.keyframeCount, report.poseCount) = (motion.keyframeCount, motion.poseCount)
      return motion
    }
    switch format {
    case .csv:
      let export = CSVExport(work)
      try export.write()
      report.formulaCount = export.formulaCount
    case .ndjson: try NDJSONExport(work).write()
    case .chrome: try ChromeTraceExport(work: work).write()
    case .lottie: LottieExport(work: work, motion: try motion(LottieExport.tracks)).write()
    case .waapi:
      WebAnimationsExport(work: work, motion: try motion(WebAnimationsExport.tracks)).write()
    case .svg: SVGExport(work: work, motion: try motion(SVGExport.tracks)).write()
    }
    try text.finish()
    report.losses = losses.losses
    return report
  }

  /// How many rows will be walked through; 0 where that is not known.
  private func stepCount(_ format: ExportFormat) -> Int64 {
    guard let counts = session.counts else { return 0 }
    switch format {
    case .csv:
      return switch options.table {
      case .samples: counts.samples
      case .frames: counts.frames
      case .attributes: counts.frames
      case .events: counts.events
      case .touches: counts.touches
      case .decisions: 0
      }
    case .ndjson: return counts.samples + counts.frames + counts.touches + counts.events
    case .chrome: return counts.samples + counts.frames + counts.touches + counts.events
    case .lottie, .waapi, .svg: return counts.frames
    }
  }
}
