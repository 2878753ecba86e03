public import TimelineModel

// Values by the name of their key. A name is looked up in the calling thread's own table. Role and unit
// count when the name is given for the first time.

extension Recorder {
  /// A key, which records its values. The same name and role give the same key.
  ///
  /// - Parameters:
  ///   - name: The key's name.
  ///   - role: The sort of the key.
  ///   - unit: The unit of its values ("pt", "1" for none), kept from the first call.
  /// - Complexity: takes a lock, so call it once for each key.
  public func key(_ name: String, role: KeyRole = .custom, unit: String = "1") -> RecorderKey {
    RecorderKey(keyHandle(for: name, role: role, unit: unit), of: self)
  }

  /// Keeps one value of a key with a literal name. The recorder finds the key's number by the address of the
  /// name.
  ///
  /// - Parameters:
  ///   - value: The value, in the key's unit.
  ///   - name: The key's name.
  ///   - role: The sort of the key.
  ///   - unit: The unit of its values ("pt", "1" for none), kept from the first call.
  ///   - time: The instant.
  ///   - phase: The phase of the session.
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
  ///   - role: The sort of the key.
  ///   - unit: The unit of its values ("pt", "1" for none), kept from the first call.
  ///   - time: The instant.
  ///   - phase: The phase of the session.
  /// - Complexity: O(n) in the name's length, without a lock and memory after the thread's first call.
  @_disfavoredOverload
  public func record(
    _ value: Double, for name: String, role: KeyRole = .custom, unit: String = "1",
    at time: Instant, phase: MotionPhase = .idle
  ) {
    core.record(
      value, for: core.key(named: name, role: role, unit: unit), at: time, phase: phase)
  }

  /// Keeps one value of a key at the time of the call, ``now``.
  public func record(_ value: Double, for key: KeyHandle, phase: MotionPhase = .idle) {
    core.record(value, for: key, at: now, phase: phase)
  }

  /// Keeps one value of a key with a literal name, at the time of the call.
  public func record(
    _ value: Double, for name: StaticString, role: KeyRole = .custom, unit: StaticString = "1",
    phase: MotionPhase = .idle
  ) {
    record(value, for: name, role: role, unit: unit, at: now, phase: phase)
  }

  /// Keeps one value of a key by its name, at the time of the call.
  @_disfavoredOverload
  public func record(
    _ value: Double, for name: String, role: KeyRole = .custom, unit: String = "1",
    phase: MotionPhase = .idle
  ) {
    record(value, for: name, role: role, unit: unit, at: now, phase: phase)
  }
}
