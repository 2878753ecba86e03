import Synchronization
import TestSupport
import Testing
import TimelineStore

@testable import TimelineRecorder

@Suite struct LaneSlotTests {
  @Test func `numbers of threads that lie pages apart are found at the first look`() {
    // Threads' numbers are addresses that end alike: stacks of 8 MB, one behind the other.
    let lane = UnsafeMutablePointer<HotLane>.allocate(capacity: 1)
    defer { lane.deallocate() }
    let unused = UnsafeMutablePointer<HotLane>.allocate(capacity: 1)
    defer { unused.deallocate() }
    let slots = LaneSlots(lanes: 16, unused: unused)
    defer { slots.free() }
    #expect(slots.likelyLane(of: 0x7f00_1234_56c0) == nil)
    let threads = (0..<16).map { 0x7f00_1234_56c0 + UInt($0) * 0x801_000 }
    for thread in threads { slots.set(lane, of: thread) }
    let found = threads.filter { slots.likelyLane(of: $0) == lane }
    #expect(found.count >= 12)
    #expect(threads.allSatisfy { slots.lane(of: $0) == lane })
    #expect(slots.lane(of: 0x7f00_0000_06c0) == nil)
    slots.forgetAll()
    #expect(threads.allSatisfy { slots.lane(of: $0) == nil })
  }
}
