// A fake of a few of the names of something real: what is not a name of the real thing is a type error, however deep, so
// that nothing is renamed without its fakes. What is called and not faked throws, as any missing function does.

type Called = (...given: never) => unknown;
type Names<Real> = Real extends unknown ? keyof Real : never;
type Member<Real, Name> = Real extends unknown ? (Name extends keyof Real ? Real[Name] : never) : never;
type Returned<Real> = Real extends Called ? Awaited<ReturnType<Real>> : never;
type Element<Real> = Real extends readonly (infer Each)[] ? Each : never;

/** `Part` where all its names are of `Real`, those of what its functions return, too; else `never` in their place. */
type Known<Part, Real> = [Part] extends [Real]
  ? Part
  : Part extends Called
    ? Known<Awaited<ReturnType<Part>>, Returned<Real>> extends never
      ? never
      : Part
    : Part extends readonly (infer Each)[]
      ? readonly Known<Each, Element<Real>>[]
      : Part extends object
        ? {
            [Name in keyof Part]: Name extends Names<Real> ? Known<Part[Name], Member<Real, Name>> : never;
          }
        : Part;

/** As whatever it is given for: `const deps: BotDeps = fake({ … })`. */
export const fake = <Real, Part>(part: Part & Known<Part, NoInfer<Real>>): Real => part as unknown as Real;
