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
}
