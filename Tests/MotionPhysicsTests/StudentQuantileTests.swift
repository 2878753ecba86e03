import Testing

@testable import MotionPhysics

@Suite struct StudentQuantileTests {
  @Test(arguments: [
    (1, 6.313751514675037), (2, 2.9199855803537242), (5, 2.0150483733330233),
    (17, 1.7396067260750725), (30, 1.697260886593957), (31, 1.6955187825458649),
    (40, 1.683851013335652), (120, 1.6576508993552352), (1000, 1.6463788172854643),
  ])
  func `quantiles are those of the published table`(degrees: Int, quantile: Double) {
    #expect(abs((studentQuantile95(degreesOfFreedom: degrees) ?? 0) - quantile) < 1e-8)
  }

  @Test func `without a degree of freedom there is no quantile`() {
    #expect(studentQuantile95(degreesOfFreedom: 0) == nil)
    #expect(studentQuantile95(degreesOfFreedom: -1) == nil)
  }

  @Test func `quantiles fall with every degree of freedom`() {
    let quantiles = (1...200).compactMap { studentQuantile95(degreesOfFreedom: $0) }
    #expect(quantiles.count == 200)
    #expect(zip(quantiles, quantiles.dropFirst()).allSatisfy { $0 > $1 })
  }
}
