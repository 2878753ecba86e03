import FaultVFS
import TestSupport

/// A folder whose files fail and lose power on demand: the Swift face of the shim.
///
/// Files that SQLite opens below the folder go through the shim as long as the value lives.
final class FaultDisk {
  /// What a call is about to be.
  enum Kind: UInt32, CaseIterable {
    case open, read, write, sync, truncate, delete, lock, sharedMemory

    fileprivate var raw: fault_kind { fault_kind(rawValue: rawValue) }
  }

  /// What a failing call says.
  enum Reason: String {
    case inputOutput, noSpace

    fileprivate var raw: fault_reason {
      self == .noSpace ? FAULT_NO_SPACE : FAULT_INPUT_OUTPUT
    }
  }

  /// Which call fails.
  struct Fault: CustomStringConvertible {
    var kind: Kind
    /// Counted from 1.
    var nth: Int64
    var isForGood: Bool
    var reason: Reason

    var description: String { "\(kind) \(nth) \(isForGood ? "for good" : "once") \(reason)" }
  }

  private let disk: OpaquePointer

  init(_ folder: String) {
    guard let disk = fault_disk_watch(folder) else {
      fatalError("There is no folder \(folder) to watch.")
    }
    self.disk = disk
  }

  deinit { fault_disk_end(disk) }

  // MARK: Faults

  func fail(_ fault: Fault) {
    fault_disk_fail(disk, fault.kind.raw, fault.nth, fault.isForGood, fault.reason.raw)
  }

  /// Nothing fails any more, there is room again, and the counts begin anew.
  func heal() {
    fault_disk_heal(disk)
    fault_disk_leave_room(disk, -1)
  }

  /// Bytes by which the files may still grow.
  func leaveFreeSpace(bytes: Int64) { fault_disk_leave_room(disk, bytes) }

  func calls(_ kind: Kind) -> Int64 { fault_disk_calls(disk, kind.raw) }

  var failures: Int64 { fault_disk_failures(disk) }

  // MARK: Power

  /// Writes down what happens from now on; what is in the folder is safe.
  func beginLog() {
    fault_disk_begin_log(disk)
    firstOperation = operations
  }

  /// Operations that the log began with: the files that were there.
  private(set) var firstOperation: Int64 = 0

  /// Operations after which the power is cut in turn: each, or in a usual run every third and the last.
  var cutPoints: [Int64] {
    (firstOperation...operations).filter {
      TestRounds.isLong || ($0 - firstOperation) % 3 == 0 || $0 == operations
    }
  }

  func mark(_ number: Int64) { fault_disk_mark(disk, number) }

  /// Operations written down so far.
  var operations: Int64 { fault_disk_operations(disk) }

  func newestMark(before operations: Int64) -> Int64? {
    let mark = fault_disk_newest_mark(disk, operations, .min)
    return mark == .min ? nil : mark
  }

  /// The operations that wrote to a file from a position on.
  func writes(to name: String, from first: Int64) -> [Int64] {
    var writes: [Int64] = []
    var next = fault_disk_next_write(disk, first, name)
    while next >= 0 {
      writes.append(next)
      next = fault_disk_next_write(disk, next + 1, name)
    }
    return writes
  }

  /// Makes the files that a power cut after so many operations may leave.
  ///
  /// - Returns: how many files there are.
  func cut(after operations: Int64, seed: UInt64, into folder: String) -> Int {
    Int(fault_disk_cut(disk, operations, seed, folder))
  }
}
