package import MotionPhysics
package import TimelineModel

/// An observed settle with its fit, or with the reason why it has none.
package struct FittedSettle: Sendable, ResultRow {
  package var settle: ObservedSettle
  package var fit: MotionFit?
  package var refusal: String?

  /// Fits a settle, or keeps the reason why that cannot be.
  package init(
    _ settle: ObservedSettle, model: MotionFit.Model?, curve: Easing?, known: MotionFit.Known
  ) {
    self.settle = settle
    do throws(MotionFitError) {
      fit = try settle.fit(model: model, curve: curve, known: known)
    } catch {
      refusal = error.message
    }
  }

  /// Whether it has a fit.
  package var isAccepted: Bool { fit?.isAccepted == true }
  private var hasFit: Bool { fit != nil }

  package static let fields: [ResultField<FittedSettle>] =
    observed + MotionFit.fields.of(\.fit).when(\.hasFit)

  private static let observed: [ResultField<FittedSettle>] = [
    ResultField("subject", "The fitted key, or the element's attribute.", \.settle.subject),
    ResultField("unit", "The unit of the fitted values.", \.settle.unit),
    ResultField("transition", "The transition's number, counted from 0.", \.settle.transition),
    ResultField("from_ns", "The instant at which the settle begins.", \.settle.origin),
    ResultField("fits", "Whether the model fits the samples.", \.isAccepted),
    ResultField("refused", "The reason why nothing was fitted.", \.refusal).when { $0.fit == nil },
  ]
}

extension MotionFit: ResultRow {
  package static let fields: [ResultField<MotionFit>] = model + facts

  private static let model: [ResultField<MotionFit>] = [
    ResultField("model", "The model: spring, decay, cubic, bezier or easing.", \.model),
    ResultField("curve", "The name of the timing curve.", \.curveName),
    ResultField("rms", "The root mean square of the residuals, in the row's unit.", \.rms),
    ResultField("criterion", "The corrected Akaike criterion; lower is better.", \.criterion),
    ResultField("time_scale", "The factor of the slow motion.", Parameter.fields, \.timeScale),
    ResultField("parameters", "The numbers of the model, by name.") { fit in
      FieldValue.object(fit.parameters.map { EventField($0.name, .object($0.row)) })
    },
  ]
  private static let facts: [ResultField<MotionFit>] = [
    ResultField("sample_count", "The number of fitted samples.", \.sampleCount),
    ResultField("span_s", "The time from the start to the last fitted sample.", \.seconds),
    ResultField("step", "The step to which the values are rounded.", \.step),
    ResultField("error", "The half-width of the samples' 90 % intervals.", \.error),
    ResultField("limits", "Numbers that the samples do not determine, in sentences.", \.limits),
    ResultField(list: "words", "The motion in other systems' code.", Words.fields, \.words),
    ResultField(list: "rivals", "Other models that fit as well.", model, \.rivals),
  ]

  /// The fit as one row: `kymo fit --json` prints these fields after those of the settle.
  package var row: [EventField] { Self.fields.row(of: self) }
}

extension MotionFit.Parameter: ResultRow {
  package static let fields: [ResultField<MotionFit.Parameter>] = [
    ResultField("value", "The fitted number.", \.value),
    ResultField("low", "Lower end of the number's 90 % interval.", \.interval?.lowerBound),
    ResultField("high", "Upper end of the number's 90 % interval.", \.interval?.upperBound),
    ResultField("unit", "The unit of the number.", \.unit),
  ]
}

extension MotionFit.Words: ResultRow {
  package static let fields: [ResultField<MotionFit.Words>] = [
    ResultField("system", "The name of the system.", \.system),
    ResultField("text", "The code for that system, to paste.", \.text),
  ]
}
