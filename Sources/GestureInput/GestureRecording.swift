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
}

/// The formats of recorded touches that can be read.
public enum GestureFormat: String, CaseIterable, Sendable {
  /// Linux `evemu-record`: `E: seconds.microseconds type code value`.
  case evemu
  /// Android `getevent -lt` or `getevent -t`.
  case getevent
  /// Comma-separated rows under the header `t_ns,id,phase,x,y`.
  case csv
  /// Browser pointer events, one JSON object a line.
  case pointer
  /// Linux `libinput record`: YAML with the kernel's events.
  case libinputRecord = "libinput-record"
  /// Linux `libinput debug-events`: how far the fingers of a gesture went, not where they are.
  case libinputEvents = "libinput-events"
  /// Linux `evtest`: `Event: time S.U, type T (…), code C (…), value V`.
  case evtest
  /// The bytes of a Linux device file, `cat /dev/input/event5`.
  case evdev

  /// Whether the places are in the units of a device, not in points.
  package var isInDeviceUnits: Bool {
    switch self {
    case .evemu, .getevent, .libinputRecord, .evtest, .evdev: true
    case .csv, .pointer, .libinputEvents: false
    }
  }
}
