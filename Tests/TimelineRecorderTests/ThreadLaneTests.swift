import Synchronization
import TestSupport
import Testing
import TimelineStore

@testable import TimelineRecorder

@Suite struct ThreadLaneTests {
  @Test func `numbers of threads that lie pages apart are found at the first look`() {
    // Threads' numbers are addresses that end alike: stacks of 8 MB, one behind the other.
    let lane = UnsafeMutablePointer<HotLane>.allocate(capacity: 1)
    defer { lane.deallocate() }
    let unused = UnsafeMutablePointer<HotLane>.allocate(capacity: 1)
    defer { unused.deallocate() }
    let threadLanes = ThreadLanes(lanes: 16, unused: unused)
    defer { threadLanes.free() }
    #expect(threadLanes.likelyLane(of: 0x7f00_1234_56c0) == nil)
    let threads = (0..<16).map { 0x7f00_1234_56c0 + UInt($0) * 0x801_000 }
    for thread in threads { threadLanes.set(lane, of: thread) }
    let found = threads.filter { threadLanes.likelyLane(of: $0) == lane }
    #expect(found.count >= 12)
    #expect(threads.allSatisfy { threadLanes.lane(of: $0) == lane })
    #expect(threadLanes.lane(of: 0x7f00_0000_06c0) == nil)
    threadLanes.forgetAll()
    #expect(threads.allSatisfy { threadLanes.lane(of: $0) == nil })
  }
}
