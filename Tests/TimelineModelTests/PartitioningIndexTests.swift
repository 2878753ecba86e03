import Testing
import TimelineModel

@Suite struct PartitioningIndexTests {
  @Test func `the index is the end if no element fulfils the condition`() {
    #expect([Int]().partitioningIndex { $0 >= 3 } == 0)
    #expect([1, 2].partitioningIndex { $0 >= 3 } == 2)
  }

  @Test func `the index is that of the first element that fulfils the condition`() {
    #expect([3, 4, 5].partitioningIndex { $0 >= 3 } == 0)
    for border in 0...7 { #expect((0..<7).partitioningIndex { $0 >= border } == border) }
    #expect([1, 2, 3, 3, 4].dropFirst().partitioningIndex { $0 >= 3 } == 2)
  }
}
