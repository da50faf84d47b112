import { Fail } from 'jobgate-client';

/**
 * What is done for each kind of job, with its data and with what became of the jobs that it waited for. These
 * make up the names of files: put your tools in their place.
 */
export const steps = {
  transcode({ video, height }) {
    return { file: `${video}-${height}p.mp4`, height };
  },

  /** All versions are there: the flow starts it when the last one is made. */
  package({ video }, versions) {
    const made = versions.map(({ returnvalue }) => returnvalue);
    made.sort((one, other) => other.height - one.height);
    return { playlist: `${video}.m3u8`, versions: made.map(({ file }) => file) };
  },

  thumbnails({ video, count }) {
    return Array.from({ length: count }, (_, index) => `${video}-${index + 1}.jpg`);
  },

  subtitles({ video, language, hasSpeech }) {
    if (!hasSpeech) throw new Fail('Nobody speaks in this video');
    return `${video}.${language}.vtt`;
  },

  /** A child that failed and is ignored returned nothing. */
  publish({ title }, children) {
    const returned = (name) => children.find((child) => child.name === name)?.returnvalue ?? null;
    return {
      title,
      ...returned('package'),
      thumbnails: returned('thumbnails'),
      subtitles: returned('subtitles'),
    };
  },
};
