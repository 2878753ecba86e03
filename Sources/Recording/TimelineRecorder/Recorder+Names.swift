public import TimelineModel

// Values by the name of their key. A name is looked up in the calling thread's own table; role and unit
// count when the name is given for the first time.

extension Recorder {
  /// The number of a key, by which its values are recorded; the same name gives the same number.
  ///
  /// - Parameters:
  ///   - name: The key's name.
  ///   - role: What sort of key it is.
  ///   - unit: The unit of its values ("pt", "1" for none), kept from the first call.
  /// - Complexity: takes a lock; ask once for each key.
  public func key(_ name: String, role: KeyRole = .custom, unit: String = "1") -> KeyHandle {
    keyHandle(for: name, role: role, unit: unit)
  }

  /// Keeps one value of a key that is named in the program's text; the number is found by the name's
  /// address.
  ///
  /// - Parameters:
  ///   - value: The value, in the key's unit.
  ///   - name: The key's name.
  ///   - role: What sort of key it is.
  ///   - unit: The unit of its values ("pt", "1" for none), kept from the first call.
  ///   - time: The instant.
  ///   - phase: What the session is doing.
  public func record(
    _ value: Double, for name: StaticString, role: KeyRole = .custom, unit: StaticString = "1",
    at time: Instant, phase: MotionPhase = .idle
  ) {
    core.record(
      value, for: core.key(literal: name, role: role, unit: unit), at: time, phase: phase)
  }

  /// Keeps one value of a key by its name.
  ///
  /// - Parameters:
  ///   - value: The value, in the key's unit.
  ///   - name: The key's name.
  ///   - role: What sort of key it is.
  ///   - unit: The unit of its values ("pt", "1" for none), kept from the first call.
  ///   - time: The instant.
  ///   - phase: What the session is doing.
  /// - Complexity: O(n) in the name's length; no lock and no memory after the thread's first call.
  @_disfavoredOverload
  public func record(
    _ value: Double, for name: String, role: KeyRole = .custom, unit: String = "1",
    at time: Instant, phase: MotionPhase = .idle
  ) {
    core.record(
      value, for: core.key(named: name, role: role, unit: unit), at: time, phase: phase)
  }

  /// Keeps one value of a key at the moment of the call, by ``now``.
  public func record(_ value: Double, for key: KeyHandle, phase: MotionPhase = .idle) {
    core.record(value, for: key, at: now, phase: phase)
  }

  /// Keeps one value of a key that is named in the program's text, at the moment of the call.
  public func record(
    _ value: Double, for name: StaticString, role: KeyRole = .custom, unit: StaticString = "1",
    phase: MotionPhase = .idle
  ) {
    record(value, for: name, role: role, unit: unit, at: now, phase: phase)
  }

  /// Keeps one value of a key by its name, at the moment of the call.
  @_disfavoredOverload
  public func record(
    _ value: Double, for name: String, role: KeyRole = .custom, unit: String = "1",
    phase: MotionPhase = .idle
  ) {
    record(value, for: name, role: role, unit: unit, at: now, phase: phase)
  }
}
