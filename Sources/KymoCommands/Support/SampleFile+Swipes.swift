import GestureInput
import MotionMeasures
import TimelineModel
import TimelineReport
import TimelineSession

extension SampleFile {
  /// Makes swipes of the contacts if a rule is asked about them, and libinput's units of a device's positions.
  ///
  /// Without the resolution of the device there is no swipe, so no decision, and a note that says what to give.
  ///
  /// - Parameter given: The resolution that `--resolution` gives.
  mutating func judge(
    by question: VelocityQuestion, with given: DeviceResolution?, _ invocation: Invocation
  ) throws {
    let hasContacts = tracks.contains { $0.contact != nil }
    if question.course != .fingers {
      guard hasContacts else {
        throw Failure.usage(
          "\(name) is a table, whose values have a direction of their own. Leave out the direction")
      }
      guard !question.rule.isEmpty else {
        throw Failure.usage(
          "--towards is the direction in which a rule counts. Name the rule with --rule")
      }
    }
    guard given == nil || !question.rule.isEmpty else {
      throw Failure.usage("--resolution is for a rule. Name the rule with --rule")
    }
    guard given == nil || device.isOne else {
      throw Failure.usage(
        "--resolution is for positions in a device's units. Those of \(name) are points")
    }
    guard hasContacts, !question.rule.isEmpty else { return }
    if device.isOne {
      guard let resolution = given ?? device.resolution else {
        invocation.note(
          "\(name): no decision, because the positions are in the device's units and the file does not have the "
            + "resolution of both axes. Give its units per millimetre with --resolution X,Y. They are the last numbers of "
            + "absinfo in libinput record, or of the lines A: in evemu-describe")
        return
      }
      convert(with: resolution)
      invocation.note(
        "\(name): distances are in libinput's units, \(NumberText.decimals(DeviceResolution.libinputUnitsPerMillimetre, most: 3)) to the "
          + "millimetre, by a resolution of \(NumberText.decimals(resolution.x, most: 3)) and \(NumberText.decimals(resolution.y, most: 3)) units per "
          + "millimetre. Pointer acceleration is not applied")
    }
    makeSwipes()
  }

  /// Counts each contact's positions from its first one, in libinput's units.
  private mutating func convert(with resolution: DeviceResolution) {
    for index in tracks.indices where tracks[index].contact != nil {
      let units = tracks[index].axis == "x" ? resolution.x : resolution.y
      let start = tracks[index].samples.first?.value ?? 0
      tracks[index].samples = tracks[index].samples.map {
        Sample(
          time: $0.time,
          value: ($0.value - start) / units * DeviceResolution.libinputUnitsPerMillimetre)
      }
    }
  }

  private mutating func makeSwipes() {
    let ys = tracks.filter { $0.axis == "y" }
    swipes = Swipe.all(
      of: zip(tracks.filter { $0.axis == "x" }, ys).map { x, y in
        Swipe.Contact(
          number: x.contact ?? 0, x: x.samples, y: y.samples, resampled: x.resampled, lift: x.lift,
          isCancelled: x.isCancelled)
      })
  }

  /// The axis along which a swipe is decided. `nil` if none of its contacts is kept.
  ///
  /// A single contact that is kept along one axis is decided along that one, and so is a swipe whose contacts are.
  ///
  /// - Throws: The direction of the question is along an axis that is not kept.
  func decidingAxis(
    of swipe: Swipe, _ question: VelocityQuestion, at lift: Instant
  ) throws -> FingerAxis? {
    let kept = Set(
      tracks.filter { $0.contact.map(swipe.contacts.contains) ?? false }.map(\.axis))
    guard let one = kept.first else { return nil }
    guard let asked = question.course.axis else {
      return kept.count == 1 ? FingerAxis(rawValue: one) : swipe.mainAxis(at: lift)
    }
    guard kept.contains(asked.rawValue) else {
      throw Failure.usage(
        "--towards decides along \(asked.rawValue), and --key leaves that axis out. Name both")
    }
    return asked
  }
}
