import Testing
import TimelineRendering

@Suite struct SparklineTests {
  @Test func `bars rise from the smallest to the largest`() {
    #expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█")
    #expect(sparkline([7, 0, 7]) == "█▁█")
  }

  @Test func `more values than width are averaged in groups`() {
    #expect(sparkline([0, 0, 5, 9, 14, 14], width: 3) == "▁▅█")
    #expect(sparkline(Array(repeating: 1, count: 1000), width: 10).count == 10)
  }

  @Test func `flat, empty and not finite values are no trouble`() {
    #expect(sparkline([]) == "")
    #expect(sparkline([3, 3, 3]) == "▄▄▄")
    #expect(sparkline([0, .nan, 1, .infinity]) == "▁ █ ")
    #expect(sparkline([.nan]) == " ")
    #expect(sparkline([1, 2, 3], width: -4).count == 1)
    let huge = Double.greatestFiniteMagnitude
    #expect(sparkline([-huge, 0, huge]) == "▁▅█")
  }
}
