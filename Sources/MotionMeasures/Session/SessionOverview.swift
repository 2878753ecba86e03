package import TimelineModel
import TimelineSession
package import TimelineStore

/// A session in a few words, and what is doubtful about it.
package struct SessionOverview: Hashable, Sendable {
  /// A stretch between two frames in which at least one frame is missing.
  package struct Gap: Hashable, Sendable {
    /// The last frame before it.
    package var start: Instant
    /// The first frame after it.
    package var end: Instant
  }

  /// The session.
  package var session: SessionRecord
  /// How many display frames, elements, touches and events it has.
  package var frameCount: Int
  /// The elements that were seen.
  package var itemCount: Int
  /// The releases, recorded and derived.
  package var releases: SessionReleases
  /// What a person said of the transitions, by their numbers.
  package var labels: [Int: ReleaseLabel] = [:]
  /// What is wrong with the labels beside the recording. `nil`: nothing.
  private var labelTrouble: String?
  /// Where frames are missing, by the interval that the display was expected to keep there (as for
  /// ``FrameMetrics``). None is reported of a session without a refresh rate.
  package var gaps: [Gap]
  /// Whether its frames are pictures of a clip, between which gaps are usual.
  package var isOfPictures: Bool
  /// What could not be kept.
  package var losses: [LossRecord]
  /// How many error and warning events there are.
  package var troubleCount: Int
  /// What has become of its recorder.
  package var recorder: RecorderState
  /// How many rows came out of a crash journal after the recorder was killed. `nil` when none was folded in.
  package var recoveredRowCount: Int64?
  /// Whether a part of what its recorder had stored is known to be lost.
  package var isPartLost: Bool
  /// From which frame on its poses are sealed. `nil` where all are plain rows.
  package var firstSealedFrame: Int64?
  private let sightOfSealedPoses: String
  /// From which instant on its samples are sealed, in seconds. `nil` where all are plain rows.
  package var firstSealedSeconds: Double?

  /// An interval longer than this many frames is a gap: half a frame of jitter is none.
  package static let gapInFrames = 1.5

  /// The most releases that the headline names one by one. Ours: as many as fit a line.
  static let mostNamed = 4

  /// Reads a session's overview.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: The recording.
  ///   - known: What a person said of the recording's transitions. `nil`: what is found.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in frames and events.
  package init(
    _ session: SessionRecord, in reader: RecordingReader, labels known: RecordingLabels? = nil
  ) throws {
    self.session = session
    itemCount = try reader.items(in: session.number).count
    releases = try reader.releases(in: session.number)
    var said = known ?? RecordingLabels()
    if known == nil {
      (said, labelTrouble) = try RecordingLabels.asFarAsReadable(of: reader, sessions: [session])
    }
    for label in said.labels(in: session.number) { labels[label.transition] = label }
    losses = try reader.losses(in: session.number)
    recorder = try reader.recorderState(of: session)
    recoveredRowCount = try reader.recoveredRowCount(in: session.number)
    isPartLost = try reader.isPartLost(in: session.number)
    firstSealedFrame = try reader.firstSealedFrame(in: session.number)
    sightOfSealedPoses = reader.sightOfSealedPoses
    firstSealedSeconds = try reader.firstSealedSample(in: session.number).map {
      Instant(nanoseconds: $0).seconds
    }
    let source = FileSource(session, in: reader)
    isOfPictures = try source.isOfPictures()
    let clock = try Frames(source)
    frameCount = clock.times.count
    gaps = clock.refreshRate == nil ? [] : clock.gaps
    troubleCount = 0
    let events = try reader.events(in: session.number)
    while let event = try events.next() {
      if event.kind == .error || event.kind == .warning { troubleCount += 1 }
    }
  }

  /// How many rows of poses there are, or for a session that does not say that, at most may be.
  package var poseCount: Int64 {
    if let counts = session.counts { return counts.attributes }
    return cellCount
  }

  /// Frames times elements, which a table with a place for each element in each frame has.
  package var cellCount: Int64 {
    let (product, overflow) = Int64(clamping: frameCount).multipliedReportingOverflow(
      by: Int64(clamping: itemCount))
    return overflow ? .max : product
  }

  /// Number, name, duration, outcome and counts in one line.
  package var headline: String {
    var parts = [session.label]
    if let end = session.end { parts.append("\(rounded(end.seconds)) s") }
    if let rate = session.description.refreshRate { parts.append("\(rounded(rate)) Hz") }
    parts.append("\(counted(frameCount, "frame")) of \(counted(itemCount, "element"))")
    if releases.all.count > SessionOverview.mostNamed {
      let finished = releases.all.count { $0.outcome == .finish }
      parts.append(
        "\(releases.all.count) releases: \(finished) finish, \(releases.all.count - finished) cancel"
      )
    } else {
      parts += releases.all.map { release in
        "\(release.outcome.rawValue) at \(rounded(release.time.seconds)) s"
          + (release.derived == nil ? "" : " (\(release.origin))")
          + (labels[release.transition].map { " (meant: \($0.meaning.rawValue))" } ?? "")
      }
    }
    if releases.all.isEmpty, let outcome = session.outcome {
      parts.append("outcome \(outcome.rawValue)")
    }
    return parts.joined(separator: ", ")
  }

  /// What is doubtful, a sentence each.
  package var remarks: [String] {
    var remarks: [String] = []
    let known = isPartLost ? "" : ", and nothing that it had recorded is missing"
    if let rows = recoveredRowCount {
      remarks.append(
        rows == 0
          ? "its recorder was ended before it could finish" + known
          : "recovered: its recorder was ended before it could finish, and \(rows) "
            + (rows == 1 ? "row" : "rows") + " came out of its crash journal" + known)
    } else if !session.isClean {
      remarks.append(notClosed)
    }
    remarks += releases.warnings
    if let labelTrouble { remarks.append(labelTrouble) }
    if isPartLost { remarks.append("a part of what its recorder had recorded is lost") }
    if session.outcome == .open { remarks.append("it ends within an undecided transition") }
    if !isOfPictures, let gaps = gapRemark { remarks.append(gaps) }
    for loss in losses {
      remarks.append(
        "lost: \(loss.count) of \(loss.what.rawValue) from \(rounded(loss.first.seconds)) s to "
          + "\(rounded(loss.last.seconds)) s")
    }
    if let frame = firstSealedFrame {
      remarks.append(
        "its poses are packed from frame \(frame) on: \(sightOfSealedPoses), or all of it after kymo file unpack"
      )
    }
    if let seconds = firstSealedSeconds {
      remarks.append(
        "its samples are packed from \(rounded(seconds)) s on: \(RecordingReader.sightOfSealedSamples), "
          + "or all of them after kymo file unpack")
    }
    if troubleCount > 0 {
      remarks.append(
        (troubleCount == 1 ? "1 error or warning" : "\(troubleCount) errors or warnings")
          + ". See kymo list events")
    }
    return remarks
  }

  /// How many gaps there are and where the first is. `nil` without any.
  package var gapRemark: String? {
    let frames = isOfPictures ? "pictures" : "frames"
    return gaps.first.map {
      (gaps.count == 1
        ? "1 gap between \(frames), " : "\(gaps.count) gaps between \(frames), the first ")
        + "from \(rounded($0.start.seconds)) s to \(rounded($0.end.seconds)) s"
    }
  }

  private var notClosed: String {
    switch recorder {
    case .recording: "it is being recorded at this moment"
    case .ended:
      "not closed: its recorder was ended. All that it had recorded is shown, and the next command that "
        + "writes folds it in"
    case .finished, .unknown:
      "not closed: it is still being recorded, or its recorder was ended, so its end may be missing"
    }
  }

  private func rounded(_ number: Double) -> String {
    FieldValue.jsonNumber((number * 1000).rounded() / 1000)
  }
}

extension SessionOverview: ResultRow {
  package static var fields: [ResultField<SessionOverview>] {
    SessionRecord.fields.of(\.session) + [
      ResultField("recorder", "The recorder's state, such as finished.", \.recorder.rawValue),
      ResultField("recovered", "Rows from the crash journal.", \.recoveredRowCount),
      ResultField("sealed_from", "The first frame with packed poses.", \.firstSealedFrame),
      ResultField("samples_sealed_from_s", "The first packed sample's time.", \.firstSealedSeconds),
      ResultField("gaps", "The number of gaps between frames.", \.gaps.count),
      ResultField(
        list: "releases", "The releases with their labels.", LabelledRelease.overviewFields
      ) { overview in
        overview.releases.all.map {
          LabelledRelease(
            transition: $0.transition, release: $0, label: overview.labels[$0.transition])
        }
      },
      ResultField("items", "The number of elements.", \.itemCount),
    ]
  }

  /// The row that `kymo show` prints, without the file and the keys.
  package var row: [EventField] { SessionOverview.fields.row(of: self) }
}

extension Frames {
  /// The intervals, moving or not, that are longer than so many expected ones.
  fileprivate var gaps: [SessionOverview.Gap] {
    let frameIndices = times.indices.dropFirst().filter { times[$0] > times[$0 - 1] }
    let intervals = frameIndices.map {
      ExpectedIntervals.Interval(
        frameIndex: $0, length: times[$0].nanoseconds(since: times[$0 - 1]), follows: true)
    }
    return zip(intervals, ExpectedIntervals(of: intervals, self).lengths).compactMap {
      guard Double($0.length) > SessionOverview.gapInFrames * $1 else { return nil }
      return SessionOverview.Gap(start: times[$0.frameIndex - 1], end: times[$0.frameIndex])
    }
  }
}
