public import TimelineModel

/// The content of a file of recorded touches.
public struct GestureRecording: Hashable, Sendable {
  /// The touches in the order of the file. Times are nanoseconds since the first touch. Places are
  /// in the device's own units (CSS pixels for pointer events), y downwards.
  ///
  /// Never empty. A time that runs backwards in the file does so here as well.
  public var touches: [TouchSample]
  /// The format that was read.
  public var format: GestureFormat
  /// The device's name, or its path where it has no name. `nil` where the file names none.
  public var device: String?
  /// The losses of the touches against the file, one sentence each, with its line: a cut-off end, a
  /// contact that never lifts, lines that cannot be understood, events that the kernel dropped.
  public var losses: [String]
  /// Notes on the reading, one sentence each: a contact that was down before the
  /// recording began, times that run backwards, further devices that were left out.
  public var warnings: [String]
  /// Whether a contact was still down when the recording ended. Its lift, and so the velocity at
  /// the lift, is not known.
  public var openContacts: Bool
  /// Which distances the places are sums of, in a format that has no places: their origin is where each gesture began.
  package var deltas: DeltaKind?
  /// The units of the places in a millimetre. `nil` if the file does not say it.
  package var resolution: DeviceResolution?
  /// The unit of the file's times. `nil` if the format has one alone, or each time says its own.
  package var timeUnit: TimeUnit?
  /// Whether the text names its format and the unit of its times by itself, so that nothing was found out.
  package var saysItsFormat = false
}

extension GestureRecording {
  /// How the file was read: "MotionEvent.toString(), 2 fingers, ms".
  package var readAs: String {
    var contacts = 0
    var (down, most): (Set<Int>, Int) = ([], 0)
    for touch in touches {
      switch touch.phase {
      case .began:
        contacts += 1
        down.insert(touch.contact)
      case .moved: continue
      case .ended, .cancelled: down.remove(touch.contact)
      }
      most = max(most, down.count)
    }
    let words = [
      format.title, counted(most, "finger"), contacts > most ? counted(contacts, "contact") : nil,
      timeUnit?.rawValue,
    ]
    return words.compactMap { $0 }.joined(separator: ", ")
  }
}
