import Foundation
import TestSupport
import Testing
import TimelineModel

@Suite struct NumberTextTests {
  @Test func `fixed places keep their zeros and round half away from zero`() {
    #expect(NumberText.fixed(3.1, 2) == "3.10")
    #expect(NumberText.fixed(-0.125, 2) == "-0.13")
    #expect(NumberText.fixed(12.5, 0) == "13")
    #expect(NumberText.fixed(-0.001, 2) == "0.00")
    #expect(NumberText.fixed(.nan, 2) == "–")
    #expect(NumberText.fixed(1e300, 2) == "1e+300")
  }

  @Test func `significant digits keep their zeros, and a whole number keeps its digits`() {
    #expect(NumberText.significant(3.1, digits: 4) == "3.100")
    #expect(NumberText.significant(0.0123456, digits: 3) == "0.0123")
    #expect(NumberText.significant(123_456.7, digits: 4) == "123457")
    #expect(NumberText.significant(1e-17, digits: 4) == "0")
    #expect(NumberText.significant(-.infinity, digits: 4) == "–")
  }

  @Test func `a short number has no zeros at its end`() {
    #expect(NumberText.short(3.10004) == "3.1")
    #expect(NumberText.short(-0.0) == "0")
    #expect(NumberText.short(0.123456789, digits: 6) == "0.123457")
    #expect(NumberText.short(1_234_567.8) == "1234568")
    #expect(NumberText.short(2.505415e-17) == "2.505e-17")
    #expect(NumberText.short(.nan) == "–")
  }

  @Test func `decimals are at most as many as asked for`() {
    #expect(NumberText.decimals(2, most: 3) == "2")
    #expect(NumberText.decimals(0.0004, most: 3) == "0")
    #expect(NumberText.decimals(-0.0004, most: 3) == "0")
    #expect(NumberText.decimals(1.23456, most: 3) == "1.235")
    #expect(NumberText.decimals(.infinity, most: 3) == "–")
  }

  @Test func `a limit stays on the side that it is rounded to`() {
    #expect(NumberText.limit(0.1234, rounded: .up) == "0.124")
    #expect(NumberText.limit(0.1234, rounded: .down) == "0.123")
    #expect(NumberText.limit(0.25, rounded: .up) == "0.25")
    // 0 and 1 leave no threshold on their side.
    #expect(NumberText.limit(0.0001, rounded: .down) == "0.0001")
  }

  @Test func `a cell has the digits that printf gives`() {
    #expect(NumberText.cell(1.0625) == "1.062")
    #expect(NumberText.cell(12_345.67) == "12345.7")
    #expect(NumberText.cell(0.25, leastPlaces: 4) == "0.25")
    #expect(NumberText.cell(9.248414e44) == "9.248e+44")
    #expect(NumberText.cell(1.951234e-107) == "1.951e-107")
    #expect(NumberText.cell(-2.76e-80) == "-2.76e-80")
    #expect(NumberText.cell(.nan) == "–")
    var random = SplitMix(seed: 7)
    for _ in 0..<100_000 {
      let size = pow(10, Double.random(in: -3.99...9, using: &random))
      let number = Bool.random(using: &random) ? size : (size * 64).rounded() / 64
      guard number != number.rounded() else { continue }
      let exponent = Int(log10(number).rounded(.down))
      let expected = String(format: "%.*g", max(exponent + 2, 4), number)
      #expect(Double(NumberText.cell(number)) == Double(expected))
    }
  }

  @Test func `a median is the mean of two, and an upper median one of the values`() {
    #expect([1.0, 2, 4, 8].middle == 3)
    #expect([1.0, 2, 4].middle == 2)
    #expect([8.0, 1, 4, 2].upperMedian == 4)
    #expect([Double]().upperMedian == nil)
    #expect([Double]().middle == nil)
  }
}
